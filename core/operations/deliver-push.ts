import type { ConfirmationStore } from '../adapters/confirmation-store.ts';
import type { DeviceStore } from '../adapters/device-store.ts';
import type { PushGateway, PushOutcome } from '../adapters/push-gateway.ts';
import type { PushContent } from '../adapters/push-payload.ts';
import type { Confirmation, Delivery } from '../domain/confirmation.ts';
import type { Device } from '../domain/device.ts';
import { rfc3339 } from '../domain/time.ts';
import { logger } from '../observability.ts';
import { countPush } from '../push-metrics.ts';

export type PushDeps = {
  devices: DeviceStore;
  confirmations: ConfirmationStore;
  gateway: PushGateway;
};

const contentOf = (confirmation: Confirmation, genericText: string | undefined): PushContent => ({
  challengeId: confirmation.challengeId,
  expiresAt: rfc3339(confirmation.expiresAt),
  alert: genericText ?? confirmation.message,
  lifetimeSeconds: confirmation.expiresIn,
});

/** Someone deleted the endpoint: the token may still be good, so the device gets a new one. */
async function renewEndpoint({ gateway, devices }: PushDeps, device: Device): Promise<string> {
  const endpointArn = await gateway.enableEndpoint(device.platform, device.pushToken);
  await devices.replace(device, { ...device, endpointArn });
  return endpointArn;
}

async function publish(deps: PushDeps, device: Device, content: PushContent): Promise<PushOutcome> {
  const outcome = await deps.gateway.publish(device.endpointArn, device.platform, content);
  if (outcome !== 'gone') return outcome;
  try {
    const endpointArn = await renewEndpoint(deps, device);
    return await deps.gateway.publish(endpointArn, device.platform, content);
  } catch (error) {
    logger.warn('The endpoint could not be renewed', { fault: error instanceof Error ? error.name : '' });
    return 'failed';
  }
}

const statusFor = { sent: 'active', unreachable: 'unreachable', failed: undefined } as const;

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
  const outcome = await publish(deps, device, contentOf(confirmation, genericText));
  const delivery: Delivery = outcome === 'gone' ? 'failed' : outcome;
  countPush(device.platform, delivery);
  if (delivery !== confirmation.delivery) {
    await deps.confirmations.setDelivery(confirmation.challengeId, delivery);
  }
  const status = statusFor[delivery];
  if (status && status !== device.status) await deps.devices.setStatus(device, status);
  return { ...confirmation, delivery };
}
