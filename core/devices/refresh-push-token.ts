import type { Device, NativeDevice, WebDevice } from './device.ts';
import { type NewEndpoint, withNewEndpoint } from './push/new-endpoint.ts';
import type { PushClient } from './push/push-client.ts';
import { type EndpointDeps, releaseEndpoint } from './push/release-endpoint.ts';
import { newRelease, type ReleasedEndpoint } from './push/released-endpoint-store.ts';
import type { Subscription } from './subscription.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';

export type RefreshDeps = EndpointDeps & { push: PushClient };

type SentToken = { device: NativeDevice; pushToken: string };
type SentSubscription = { device: WebDevice; subscription: Subscription };

/** What a device sent: where pushes reach it from now on. */
export type Sent = (SentToken | SentSubscription) & {
  /** `iat` of the request. */
  issuedAt: number;
};

/** `release` is used only if the new token has another endpoint. */
type Replacement = { before: NativeDevice; after: NativeDevice; release: ReleasedEndpoint };

/**
 * Replaces a device's push token or subscription, which also makes an unreachable device active. Releases the endpoint of the
 * old token.
 *
 * @param load reads and verifies the device again for each attempt
 * @throws {Refusal} `stale-request`
 */
export async function refreshPushToken(
  deps: RefreshDeps,
  load: () => Promise<Sent>,
  now: number,
): Promise<void> {
  const replaced = await withNewEndpoint(
    deps.devices,
    async (endpoint) => await replace(deps, load, endpoint, now),
  );
  if (!replaced) return;
  const { before, after, release } = replaced;
  if (before.endpointArn !== after.endpointArn) await releaseEndpoint(deps, release);
}

/** @returns what was replaced of a device that has an endpoint */
async function replace(
  deps: RefreshDeps,
  load: () => Promise<Sent>,
  { created, used }: NewEndpoint,
  now: number,
): Promise<Replacement | undefined> {
  let attempted: Replacement | undefined;
  const replaced = await retryOnConflict(async () => {
    const sent = await load();
    if (isWritten(attempted, sent.device)) return attempted;
    checkNewer(sent);
    if ('subscription' in sent) {
      await deps.devices.setSubscription(sent.device, { ...sent, now });
      return undefined;
    }
    attempted = await replacementOf(deps, sent, created, now);
    await deps.devices.replace(attempted.before, attempted.after, attempted.release);
    return attempted;
  });
  used();
  return replaced;
}

/** True if an earlier attempt of this request wrote its replacement, but the response was lost. */
const isWritten = (attempted: Replacement | undefined, found: Device): attempted is Replacement =>
  found.platform !== 'web' &&
  attempted?.after.pushTokenIssuedAt === found.pushTokenIssuedAt &&
  attempted?.after.pushToken === found.pushToken;

async function replacementOf(
  { push }: RefreshDeps,
  { device: before, pushToken, issuedAt }: SentToken & { issuedAt: number },
  created: NewEndpoint['created'],
  now: number,
): Promise<Replacement> {
  const endpointArn = await push.enableEndpoint(before.platform, pushToken, created);
  const accepted = { pushToken, pushTokenIssuedAt: issuedAt, endpointArn };
  const after: NativeDevice = { ...before, ...accepted, status: 'active', lastSeenAt: now };
  return { before, after, release: newRelease(before.endpointArn) };
}

/** A captured request that is sent again must not bring an old token back. */
function checkNewer({ issuedAt, device: { pushTokenIssuedAt = -Infinity } }: Sent): void {
  if (issuedAt > pushTokenIssuedAt) return;
  throw new Refusal(
    'stale-request',
    'A push token or subscription of a newer request, or of the same second, was accepted.',
  );
}
