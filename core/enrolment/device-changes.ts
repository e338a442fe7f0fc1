import type { Confirmation } from '../confirmations/confirmation.ts';
import { readContext, type Purpose } from '../confirmations/context.ts';
import type { UserRecord } from '../devices/device-store.ts';
import type { Device, User } from '../devices/device.ts';
import { isStillAllowed } from '../devices/recovery.ts';
import { Refusal } from '../kernel/refusal.ts';
import { minutes } from '../kernel/time.ts';

/** What authorized a change of a user's devices, if the tenant's setting requires it. */
export type Authorization =
  /** A scope of the client, or with an id what the help desk allowed. */
  | { by: 'recovery'; recoveryId?: string }
  /** A confirmation, and the device on which the user confirmed. */
  | { by: 'confirmation'; challengeId: string; deviceId: string };

/** A change of a user's devices that needs a confirmation. */
export type DeviceChange = {
  user: User;
  /** The user's current devices. */
  devices: readonly Device[];
  purpose: Purpose;
  /** The id of what is changed: a confirmation authorizes one change, once. */
  use: string;
};

const freshFor = 10 * minutes;

/** The user must still have the device that confirmed: a device that was removed, perhaps because it was lost, proves nothing. */
export function authorizesChange(confirmation: Confirmation, change: DeviceChange, now: number): boolean {
  const { user, devices, purpose, use } = change;
  const { decidedAt = 0, usedFor = use } = confirmation;
  const context = readContext(confirmation.context);
  return (
    confirmation.tenantId === user.tenantId &&
    confirmation.userId === user.userId &&
    context.purpose === purpose &&
    // What the user saw: this device alone.
    (purpose !== 'remove-device' || context.device?.deviceId === use) &&
    confirmation.status === 'confirmed' &&
    decidedAt >= now - freshFor &&
    usedFor === use &&
    devices.some(({ deviceId }) => deviceId === confirmation.deviceId)
  );
}

/** The same, when a user who has devices redeems the code. */
export const isStillAuthorized = (
  authorization: Authorization | undefined,
  { devices, history }: Pick<UserRecord, 'devices' | 'history'>,
): boolean => {
  if (authorization?.by !== 'recovery')
    return devices.some(({ deviceId }) => deviceId === authorization?.deviceId);
  const { recoveryId } = authorization;
  return recoveryId === undefined || isStillAllowed(history.recovery, recoveryId);
};

/** Never had a device. A user whose devices were all removed is not new. */
export const isNew = ({ devices, history }: UserRecord): boolean =>
  devices.length === 0 && !history.hadDevice;

/** Without a device there is nothing to confirm with. */
export const furtherDeviceRefused = ({ length }: readonly Device[]): Refusal =>
  length > 0 ? confirmationRequired('add-device') : recoveryRequired();

const recoveryRequired = (): Refusal =>
  new Refusal(
    'recovery-required',
    'The user has no device left to confirm this. Expected a recovery that the help desk allowed, or a token with the scope ' +
      "credential:omi:recovery, of a client that verifies the user's identity in another way.",
  );

/** The same problem for every fault of a confirmation, so that it says nothing about other users' confirmations. */
export const confirmationRequired = (purpose: Purpose): Refusal =>
  new Refusal(
    'confirmation-required',
    `Expected the nonce of a confirmation by this user, with the purpose "${purpose}", confirmed in the last 10 minutes on ` +
      'a device that the user still has, and not used before.',
  );
