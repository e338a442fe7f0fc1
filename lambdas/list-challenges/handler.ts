import type { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import type { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import type { DeviceStore } from '../../core/devices/device-store.ts';
import { challengeView, statusAt } from '../../core/confirmations/confirmation.ts';
import type { Device } from '../../core/devices/device.ts';
import { closeExpired } from '../../core/devices/push-history.ts';
import { minutes } from '../../core/kernel/time.ts';
import { json } from '../../core/http/responses.ts';
import { readAuthorization, requestVerifierFor } from '../../core/http/device-authorization.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';

export type Deps = {
  calls: DeviceCallStore;
  devices: DeviceStore;
  confirmations: ConfirmationStore;
  baseUrl: string;
};

/** An app that polls must not cost a write each time: the time is precise to this. */
const lastSeenPrecision = 5 * minutes;

const wasSeenLately = ({ lastSeenAt = 0 }: Device, now: number): boolean =>
  now - lastSeenAt < lastSeenPrecision;

export function createHandler({ calls, devices, confirmations, baseUrl }: Deps): Handler {
  const verify = requestVerifierFor(baseUrl, 'GET', '/omi/device/challenges');

  return async (event) => {
    const now = Date.now();
    const call = readAuthorization(event);
    const confirmation = await retryOnConflict(async () => {
      const record = await calls.load(call.identity, undefined, now);
      const device = await verify(call, record.device, now);
      if (!wasSeenLately(device, now)) await devices.setLastSeen(device, now);
      if (record.isSuspended) return undefined;
      const open = closeExpired(record.history, now).open[device.deviceId];
      return open && (await confirmations.markOpened(open.challengeId, now));
    });
    const isOpen = confirmation && statusAt(confirmation, now) === 'pending';
    return json(200, { challenges: isOpen ? [challengeView(confirmation, now)] : [] });
  };
}
