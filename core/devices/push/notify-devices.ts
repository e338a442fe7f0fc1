import type { DeviceStore } from '../device-store.ts';
import type { PushClient } from './push-client.ts';
import type { Notice } from './push-payload.ts';
import type { Device, DeviceIdentity } from '../device.ts';
import type { FurtherDevicesPolicy } from '../../tenants/further-devices-policy.ts';
import { logger } from '../../kernel/observability.ts';

/** Fixed texts without the device's name, which an attacker could choose to mislead the user. */
const alerts: Record<Notice, string> = {
  'device-added': 'A device was added to your account. If this was not you, ask for help at once.',
  'device-removed': 'A device was removed from your account. If this was not you, ask for help at once.',
};

/** Seconds: long enough for a phone that is switched off overnight. */
const lifetime = 24 * 60 * 60;

export type Change = { notice: Notice; device: DeviceIdentity };

const mustBeNotified = (device: Device, { deviceId }: DeviceIdentity): boolean =>
  device.status === 'active' && device.deviceId !== deviceId;

/**
 * Notifies a user's other active devices that one was added or removed, with one attempt each. The change is already
 * committed, so failures are only logged.
 */
export async function notifyDevices(
  push: PushClient,
  devices: readonly Device[],
  { notice, device }: Change,
): Promise<void> {
  const content = { notice, deviceId: device.deviceId, alert: alerts[notice], lifetimeSeconds: lifetime };
  // Several devices of a user may have the same push token: one push is enough.
  const others = devices.filter((other) => mustBeNotified(other, device));
  const endpoints = new Map(
    others.flatMap((other) => (other.platform === 'web' ? [] : [[other.endpointArn, other.platform]])),
  );
  await Promise.all(
    [...endpoints].map(async ([endpointArn, platform]) => {
      const { delivery, ...fault } = await push.publish(endpointArn, platform, content);
      if (delivery !== 'sent')
        logger.warn('A device was not notified of a change', { notice, delivery, ...fault });
    }),
  );
}

/** Notifies the remaining devices after a removal. */
export async function notifyOfRemoval(
  { devices, push }: { devices: DeviceStore; push: PushClient },
  device: Device,
  findPolicy: () => Promise<FurtherDevicesPolicy>,
): Promise<void> {
  try {
    if ((await findPolicy()) === 'free') return;
    const { devices: left } = await devices.loadUser(device);
    await notifyDevices(push, left, { notice: 'device-removed', device });
  } catch (error) {
    logger.warn('No device was notified of a removal', { fault: error instanceof Error ? error.name : '' });
  }
}
