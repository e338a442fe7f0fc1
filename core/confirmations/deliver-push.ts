import { readContext } from './context.ts';
import type { ConfirmationStore } from './confirmation-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import { type PushChannels, pushTo } from '../devices/push/push-channels.ts';
import type { PushOutcome } from '../devices/push/push-client.ts';
import { type ChallengePush, unnamed } from '../devices/push/push-payload.ts';
import type { Confirmation, Delivery } from './confirmation.ts';
import type { Device, NativeDevice } from '../devices/device.ts';
import { rfc3339 } from '../kernel/time.ts';
import { logger } from '../kernel/observability.ts';
import { countPush } from '../devices/push/push-metrics.ts';
import { withNewEndpoint } from '../devices/push/new-endpoint.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';

export type PushDeps = {
  devices: DeviceStore;
  confirmations: ConfirmationStore;
  push: PushChannels;
};

/** The result of a push, and the device with its current endpoint. */
type Pushed = { delivery: Delivery; device: Device };

/**
 * Pushes a confirmation to its devices. The best result becomes the confirmation's `delivery`, and each the status of its
 * device; the usual result changes neither and costs no write.
 */
export async function deliverPush(
  deps: PushDeps,
  confirmation: Confirmation,
  devices: readonly Device[],
  genericText: string | undefined,
): Promise<Confirmation> {
  const content = contentOf(confirmation, genericText);
  const pushed = await Promise.all(devices.map(async (device) => await publish(deps, device, content)));
  for (const { device, delivery } of pushed) countPush(device.platform, delivery);
  const delivery = bestOf(pushed);
  await recordDelivery(deps, { ...confirmation, delivery }, confirmation.delivery, pushed);
  return { ...confirmation, delivery };
}

/** The user is asked if one of the pushes arrived; a failure may be repaired, an unreachable device not. */
const bestOf = (pushed: readonly Pushed[]): Delivery =>
  (['sent', 'failed'] as const).find((delivery) => pushed.some((one) => one.delivery === delivery)) ??
  'unreachable';

const contentOf = (confirmation: Confirmation, genericText: string | undefined): ChallengePush => ({
  challengeId: confirmation.challengeId,
  expiresAt: rfc3339(confirmation.expiresAt),
  title: readContext(confirmation.context).requester?.tenant ?? unnamed,
  alert: genericText ?? confirmation.message,
  lifetimeSeconds: confirmation.expiresIn,
  ...((genericText !== undefined || needsMore(confirmation)) && { inApp: true }),
});

/** The user has to do or to see more than "yes" to the message. */
function needsMore({ matchNumbers, details, context }: Confirmation): boolean {
  const { userVerification, purpose } = readContext(context);
  return (
    matchNumbers !== undefined || details !== undefined || userVerification !== 'off' || purpose !== undefined
  );
}

/** Publishes once more with a new endpoint if the SNS endpoint is gone. */
async function publish(deps: PushDeps, device: Device, content: ChallengePush): Promise<Pushed> {
  // Nobody needs to be told: it answers by itself.
  if (device.testKey !== undefined) return { delivery: 'sent', device };
  const delivery = await publishOnce(deps, device, content);
  if (delivery !== 'gone') return { delivery, device };
  try {
    if (device.platform === 'web') throw new Error('A web device has no endpoint of SNS.');
    const renewed = await renewEndpoint(deps, device);
    const again = await publishOnce(deps, renewed, content);
    if (again !== 'gone') return { delivery: again, device: renewed };
    logger.error('The renewed endpoint is gone', { platform: device.platform });
    return { delivery: 'failed', device: renewed };
  } catch (error) {
    logger.warn('The endpoint could not be renewed', { fault: faultOf(error) });
    return { delivery: 'failed', device };
  }
}

async function publishOnce(
  { push }: PushDeps,
  device: Device,
  content: ChallengePush,
): Promise<PushOutcome['delivery']> {
  const outcome = await pushTo(push, device, content);
  if (outcome.delivery === 'failed') {
    const { platform } = device;
    const { challengeId } = content;
    // A browser's endpoint is a capability: anybody who knows it can address the browser.
    const endpoint = device.platform === 'web' ? {} : { endpointArn: device.endpointArn };
    logger.error('The push failed', { platform, challengeId, ...endpoint, fault: outcome.fault });
  }
  return outcome.delivery;
}

/** The endpoint was deleted, but its token may still be valid: the device gets a new endpoint. */
async function renewEndpoint({ push, devices }: PushDeps, device: NativeDevice): Promise<NativeDevice> {
  return await withNewEndpoint(devices, async ({ created, used }) => {
    const endpointArn = await push.native.enableEndpoint(device.platform, device.pushToken, created);
    const renewed: NativeDevice = { ...device, endpointArn, status: 'active' };
    await retryOnConflict(async () => await devices.replace(device, renewed));
    used();
    return renewed;
  });
}

const statusFor = { sent: 'active', unreachable: 'unreachable', failed: undefined } as const;

/** Writes only what is unusual. The push is done already, so a failed write is logged and not thrown. */
async function recordDelivery(
  deps: PushDeps,
  { challengeId, delivery }: Confirmation,
  recorded: Delivery,
  pushed: readonly Pushed[],
): Promise<void> {
  try {
    if (delivery !== recorded)
      await retryOnConflict(async () => await deps.confirmations.setDelivery(challengeId, delivery));
    await Promise.all(
      pushed.map(
        async (one) => await retryOnConflict(async () => await recordStatus(deps, one.delivery, one.device)),
      ),
    );
  } catch (error) {
    logger.error('The delivery could not be recorded', { delivery, fault: faultOf(error) });
  }
}

async function recordStatus({ devices }: PushDeps, delivery: Delivery, device: Device): Promise<void> {
  const status = statusFor[delivery];
  if (device.platform === 'web') {
    if (status === 'unreachable' && device.subscription)
      await devices.forgetSubscription(device, device.subscription);
  } else if (status && status !== device.status) await devices.setStatus(device, status);
}

const faultOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
