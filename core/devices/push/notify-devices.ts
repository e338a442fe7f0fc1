import type { DeviceStore } from '../device-store.ts';
import { addressOf, type PushChannels, pushTo } from './push-channels.ts';
import { type Notice, unnamed } from './push-payload.ts';
import type { Device, DeviceIdentity } from '../device.ts';
import type { FurtherDevicesRule } from '../../tenants/further-devices-policy.ts';
import { logger } from '../../kernel/observability.ts';

/** Fixed texts without the device's name, which an attacker could choose to mislead the user. */
const alerts: Record<Notice, string> = {
  'device-added': 'A device was added to your account. If this was not you, ask for help at once.',
  'device-removed': 'A device was removed from your account. If this was not you, ask for help at once.',
};

/** Seconds: long enough for a phone that is switched off overnight. */
const lifetimeSeconds = 24 * 60 * 60;

export type Change = { notice: Notice; device: DeviceIdentity; tenantName: string | undefined };

const mustBeNotified = (device: Device, { deviceId }: DeviceIdentity): boolean =>
  device.status === 'active' && device.deviceId !== deviceId && addressOf(device) !== undefined;

/**
 * Notifies a user's other active devices that one was added or removed, with one attempt each. The change is already
 * committed, so failures are only logged.
 */
export async function notifyDevices(
  push: PushChannels,
  devices: readonly Device[],
  { notice, device, tenantName = unnamed }: Change,
): Promise<void> {
  const shown = { title: tenantName, alert: alerts[notice], lifetimeSeconds };
  const content = { notice, deviceId: device.deviceId, ...shown };
  const others = devices.filter((other) => mustBeNotified(other, device));
  // Several devices of a user may have the same push token: one push is enough.
  const byAddress = new Map(others.map((other) => [addressOf(other), other]));
  await Promise.all(
    [...byAddress.values()].map(async (other) => {
      const { delivery, ...fault } = await pushTo(push, other, content);
      if (delivery !== 'sent')
        logger.warn('A device was not notified of a change', { notice, delivery, ...fault });
    }),
  );
}

/** Notifies the remaining devices after a removal. */
export async function notifyOfRemoval(
  { devices, push }: { devices: DeviceStore; push: PushChannels },
  device: Device,
  findRule: () => Promise<FurtherDevicesRule>,
): Promise<void> {
  try {
    const { policy, tenantName } = await findRule();
    if (policy === 'free') return;
    const { devices: left } = await devices.loadUser(device);
    await notifyDevices(push, left, { notice: 'device-removed', device, tenantName });
  } catch (error) {
    logger.warn('No device was notified of a removal', { fault: error instanceof Error ? error.name : '' });
  }
}
