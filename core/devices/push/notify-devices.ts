import type { DeviceStore } from '../device-store.ts';
import type { PushClient } from './push-client.ts';
import type { Notice } from './push-payload.ts';
import type { Device, DeviceIdentity } from '../device.ts';
import type { FurtherDevicesPolicy } from '../../tenants/further-devices-policy.ts';
import { logger } from '../../kernel/observability.ts';

/** A fixed text: a name that an attacker chose would be read as the service's own words. */
const alerts: Record<Notice, string> = {
  'device-added': 'A device was added to your account. If this was not you, ask for help at once.',
  'device-removed': 'A device was removed from your account. If this was not you, ask for help at once.',
};

/** Seconds: a phone that is switched off for the night still hears of it. */
const lifetime = 24 * 60 * 60;

export type Change = { notice: Notice; device: DeviceIdentity };

const isToNotify = (device: Device, { deviceId }: DeviceIdentity): boolean =>
  device.status === 'active' && device.deviceId !== deviceId;

/**
 * Tells a user's other active devices that one was added or removed: once each, as well as it goes. The change is
 * committed by now, so nothing here fails it.
 */
export async function notifyDevices(
  push: PushClient,
  devices: readonly Device[],
  { notice, device }: Change,
): Promise<void> {
  const content = { notice, deviceId: device.deviceId, alert: alerts[notice], lifetimeSeconds: lifetime };
  // A push token may sit on several devices of a user: its phone is told once.
  const others = devices.filter((other) => isToNotify(other, device));
  const endpoints = new Map(others.map(({ endpointArn, platform }) => [endpointArn, platform]));
  await Promise.all(
    [...endpoints].map(async ([endpointArn, platform]) => {
      const { delivery, ...fault } = await push.publish(endpointArn, platform, content);
      if (delivery !== 'sent')
        logger.warn('A device was not told of a change', { notice, delivery, ...fault });
    }),
  );
}

/** The same after a removal, with the devices that are left. */
export async function notifyOfRemoval(
  { devices, push }: { devices: DeviceStore; push: PushClient },
  device: Device,
  furtherDevices: () => Promise<FurtherDevicesPolicy>,
): Promise<void> {
  try {
    if ((await furtherDevices()) === 'free') return;
    const { devices: left } = await devices.loadUser(device);
    await notifyDevices(push, left, { notice: 'device-removed', device });
  } catch (error) {
    logger.warn('Nobody was told of a removal', { fault: error instanceof Error ? error.name : '' });
  }
}
