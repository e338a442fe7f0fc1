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

/** The result of a push, and the device with its current endpoint. */
type Pushed = { delivery: Delivery; device: Device };

/**
 * Pushes a confirmation to its device. The result becomes the confirmation's `delivery` and the device's status; the
 * usual result changes neither and costs no write.
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

const contentOf = (confirmation: Confirmation, genericText: string | undefined): ChallengePush => ({
  challengeId: confirmation.challengeId,
  expiresAt: rfc3339(confirmation.expiresAt),
  alert: genericText ?? confirmation.message,
  lifetimeSeconds: confirmation.expiresIn,
});

/** Publishes once more with a new endpoint if the endpoint is gone. */
async function publish(deps: PushDeps, device: Device, content: ChallengePush): Promise<Pushed> {
  const delivery = await publishOnce(deps, device, content);
  if (delivery !== 'gone') return { delivery, device };
  try {
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

/** The endpoint was deleted, but its token may still be valid: the device gets a new endpoint. */
async function renewEndpoint({ push, devices }: PushDeps, device: Device): Promise<Device> {
  return await withNewEndpoint(devices, async ({ created, used }) => {
    const endpointArn = await push.enableEndpoint(device.platform, device.pushToken, created);
    const renewed: Device = { ...device, endpointArn, status: 'active' };
    await retryOnConflict(async () => await devices.replace(device, renewed));
    used();
    return renewed;
  });
}

const statusFor = { sent: 'active', unreachable: 'unreachable', failed: undefined } as const;

/** Writes only what is unusual. The push is done already, so a failed write is logged and not thrown. */
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
    logger.error('The delivery could not be recorded', { delivery, fault: faultOf(error) });
  }
}

const faultOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
