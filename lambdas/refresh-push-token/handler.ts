import * as v from 'valibot';
import type { PushClient } from '../../core/devices/push/push-client.ts';
import { newRelease, type ReleasedEndpoint } from '../../core/devices/push/released-endpoint-store.ts';
import { pushTokenClaims } from '../../core/devices/protocol/claims.ts';
import type { DeviceCall } from '../../core/devices/protocol/device-call.ts';
import type { Device } from '../../core/devices/device.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { noContent } from '../../core/http/responses.ts';
import { readBody, verifierFor } from '../../core/http/device-authorization.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { type NewEndpoint, withNewEndpoint } from '../../core/devices/push/new-endpoint.ts';
import { type EndpointDeps, releaseEndpoint } from '../../core/devices/push/release-endpoint.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';

const request = v.object({ body: pushTokenClaims });

export type Deps = EndpointDeps & { push: PushClient; baseUrl: string };

/** A captured call sent again must not bring an old token back. */
function issuedAfterLast(call: DeviceCall, device: Device): number {
  const issuedAt = Number(call.message.claims['iat']);
  if (device.pushTokenIssuedAt === undefined || issuedAt > device.pushTokenIssuedAt) return issuedAt;
  throw new Refusal('stale-request', 'A push token was accepted from a call that is not older than this.');
}

/** A try of this very call whose answer was lost: the device's record has what it wrote. */
const wasWritten = (tried: Replacement | undefined, found: Device): tried is Replacement =>
  tried?.after.pushTokenIssuedAt === found.pushTokenIssuedAt && tried?.after.pushToken === found.pushToken;

/** `release` counts if the new token has another endpoint. */
type Replacement = { before: Device; after: Device; release: ReleasedEndpoint };

export function createHandler({ push, baseUrl, ...deps }: Deps): Handler {
  const { devices } = deps;
  const verify = verifierFor(baseUrl);

  const replacementOf = async (
    call: DeviceCall,
    before: Device,
    { now, created }: { now: number } & Pick<NewEndpoint, 'created'>,
  ): Promise<Replacement> => {
    const { body } = parseRequest(request, { body: call.message.claims });
    const pushTokenIssuedAt = issuedAfterLast(call, before);
    const endpointArn = await push.enableEndpoint(before.platform, body.pushToken, created);
    const accepted = { pushToken: body.pushToken, pushTokenIssuedAt, endpointArn };
    const after: Device = { ...before, ...accepted, status: 'active', lastSeenAt: now };
    return { before, after, release: newRelease(before.endpointArn) };
  };

  const replace = async (call: DeviceCall, { created, used }: NewEndpoint): Promise<Replacement> => {
    const now = Date.now();
    let tried: Replacement | undefined;
    const replaced = await retryOnConflict(async () => {
      const found = await verify(call, await devices.find(call.identity), now);
      if (wasWritten(tried, found)) return tried;
      tried = await replacementOf(call, found, { now, created });
      await devices.replace(tried.before, tried.after, tried.release);
      return tried;
    });
    used();
    return replaced;
  };

  return async (event) => {
    const call = readBody(event, 'omi-push-token+jws');
    const { before, after, release } = await withNewEndpoint(
      devices,
      async (endpoint) => await replace(call, endpoint),
    );
    if (before.endpointArn !== after.endpointArn) {
      await releaseEndpoint(deps, release);
    }
    return noContent;
  };
}
