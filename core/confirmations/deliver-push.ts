import type { ConfirmationStore } from './confirmation-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { PushClient, PushOutcome } from '../devices/push/push-client.ts';
import type { ChallengePush } from '../devices/push/push-payload.ts';
import type { Confirmation, Delivery } from './confirmation.ts';
import type { Device } from '../devices/device.ts';
import { rfc3339 } from '../kernel/time.ts';
import { logger } from '../kernel/observability.ts';
import { countPush } from '../devices/push/push-metrics.ts';
import { withNewEndpoint } from '../devices/push/new-endpoint.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';

export type PushDeps = {
  devices: DeviceStore;
  confirmations: ConfirmationStore;
  push: PushClient;
};

const contentOf = (confirmation: Confirmation, genericText: string | undefined): ChallengePush => ({
  challengeId: confirmation.challengeId,
  expiresAt: rfc3339(confirmation.expiresAt),
  alert: genericText ?? confirmation.message,
  lifetimeSeconds: confirmation.expiresIn,
});

/** What became of a push, and the device as it is by then. */
type Pushed = { delivery: Delivery; device: Device };

const faultOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Someone deleted the endpoint: the token may still be good, so the device gets a new one. */
async function renewEndpoint({ push, devices }: PushDeps, device: Device): Promise<Device> {
  return await withNewEndpoint(devices, async ({ created, used }) => {
    const endpointArn = await push.enableEndpoint(device.platform, device.pushToken, created);
    const renewed: Device = { ...device, endpointArn, status: 'active' };
    await retryOnConflict(async () => await devices.replace(device, renewed));
    used();
    return renewed;
  });
}

async function send(
  { push }: PushDeps,
  { endpointArn, platform }: Device,
  content: ChallengePush,
): Promise<PushOutcome['delivery']> {
  const outcome = await push.publish(endpointArn, platform, content);
  if (outcome.delivery === 'failed') {
    const { challengeId } = content;
    logger.error('The push failed', { platform, challengeId, endpointArn, fault: outcome.fault });
  }
  return outcome.delivery;
}

async function publish(deps: PushDeps, device: Device, content: ChallengePush): Promise<Pushed> {
  const delivery = await send(deps, device, content);
  if (delivery !== 'gone') return { delivery, device };
  try {
    const renewed = await renewEndpoint(deps, device);
    const again = await send(deps, renewed, content);
    if (again !== 'gone') return { delivery: again, device: renewed };
    logger.error('The renewed endpoint is gone', { platform: device.platform });
    return { delivery: 'failed', device: renewed };
  } catch (error) {
    logger.warn('The endpoint could not be renewed', { fault: faultOf(error) });
    return { delivery: 'failed', device };
  }
}

const statusFor = { sent: 'active', unreachable: 'unreachable', failed: undefined } as const;

/** Writes down what was not as usual. The confirmation stands and the push is done, whether or not this succeeds. */
async function recordDelivery(
  deps: PushDeps,
  confirmation: Confirmation,
  { delivery, device }: Pushed,
): Promise<void> {
  const status = statusFor[delivery];
  try {
    if (delivery !== confirmation.delivery) {
      await retryOnConflict(
        async () => await deps.confirmations.setDelivery(confirmation.challengeId, delivery),
      );
    }
    if (status && status !== device.status) {
      await retryOnConflict(async () => await deps.devices.setStatus(device, status));
    }
  } catch (error) {
    logger.error('The delivery could not be noted', { delivery, fault: faultOf(error) });
  }
}

/**
 * Pushes a confirmation to its device. What SNS answers becomes the confirmation's `delivery` and the device's
 * status; the usual answer changes neither, and costs no write.
 */
export async function deliverPush(
  deps: PushDeps,
  confirmation: Confirmation,
  device: Device,
  genericText: string | undefined,
): Promise<Confirmation> {
  const pushed = await publish(deps, device, contentOf(confirmation, genericText));
  countPush(device.platform, pushed.delivery);
  await recordDelivery(deps, confirmation, pushed);
  return { ...confirmation, delivery: pushed.delivery };
}
