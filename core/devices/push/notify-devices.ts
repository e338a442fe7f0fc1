import type { DeviceStore } from '../device-store.ts';
import { addressOf, type PushChannels, type PushSenders, pushTo } from './push-channels.ts';
import { type Notice, type NoticePush, unnamed } from './push-payload.ts';
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

const canBeNotified = (device: Device): boolean =>
  device.status === 'active' && addressOf(device) !== undefined;

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
  await notifyEach(
    push,
    devices.filter(({ deviceId }) => deviceId !== device.deviceId),
    content,
  );
}

/** Shows a notice on each active device, with one attempt each. Failures are only logged. */
export async function notifyEach(
  push: PushSenders,
  devices: readonly Device[],
  content: NoticePush,
): Promise<void> {
  // Several devices of a user may have the same push token: one push is enough.
  const byAddress = new Map(devices.filter(canBeNotified).map((one) => [addressOf(one), one]));
  await Promise.all(
    [...byAddress.values()].map(async (device) => {
      const { delivery, ...fault } = await pushTo(push, device, content);
      if (delivery !== 'sent')
        logger.warn('A device was not notified', { notice: content.notice, delivery, ...fault });
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
