import { readContext } from './context.ts';
import { askedDevices, type Confirmation } from './confirmation.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import { notifyEach } from '../devices/push/notify-devices.ts';
import type { PushSenders } from '../devices/push/push-channels.ts';
import { unnamed } from '../devices/push/push-payload.ts';
import { logger } from '../kernel/observability.ts';

type Deps = { devices: DeviceStore; push: PushSenders };

/**
 * Replaces the notifications of a question to all devices on those that did not answer. The answer is already committed, so
 * failures are only logged. A question to one device costs nothing here.
 */
export const notifyOfAnswer = async (deps: Deps, confirmation: Confirmation): Promise<void> =>
  await replace(deps, confirmation, 'This request was answered on another device.');

/** Replaces the notifications of a vote that is not needed any more, because its group is decided. */
export const notifyOfDecision = async (deps: Deps, vote: Confirmation): Promise<void> =>
  await replace(deps, vote, 'This request was decided without your answer.');

async function replace({ devices, push }: Deps, confirmation: Confirmation, alert: string): Promise<void> {
  const others = askedDevices(confirmation).filter((deviceId) => deviceId !== confirmation.deviceId);
  if (others.length === 0) return;
  const { challengeId, context, expiresIn: lifetimeSeconds } = confirmation;
  const title = readContext(context).requester?.tenant ?? unnamed;
  try {
    const { devices: enrolled } = await devices.loadUser(confirmation);
    await notifyEach(
      push,
      enrolled.filter(({ deviceId }) => others.includes(deviceId)),
      { notice: 'answered', challengeId, title, alert, lifetimeSeconds },
    );
  } catch (error) {
    logger.warn('No other device was notified of an answer', {
      fault: error instanceof Error ? error.name : '',
    });
  }
}
