import type { Confirmation, Purpose } from '../confirmations/confirmation.ts';
import type { Device, User } from '../devices/device.ts';
import { Refusal } from '../kernel/refusal.ts';
import { minutes } from '../kernel/time.ts';

/** What allowed a change of a user's devices, where the tenant's setting asks for proof. */
export type Authorization =
  | { by: 'recovery' }
  /** A confirmation, and the device on which the user confirmed. */
  | { by: 'confirmation'; challengeId: string; deviceId: string };

/** A change of a user's devices, for which a confirmation is shown. */
export type DeviceChange = {
  user: User;
  /** The user's devices as they are. */
  devices: readonly Device[];
  purpose: Purpose;
  /** What the confirmation is used for: a confirmation is used for one thing, once. */
  use: string;
};

const freshFor = 10 * minutes;

/**
 * Whether a confirmation allows the change. It was given on a device that the user still has: one that was removed, as when it
 * was lost, proves nothing any more.
 */
export function authorizesChange(confirmation: Confirmation, change: DeviceChange, now: number): boolean {
  const { user, devices, purpose, use } = change;
  const { decidedAt = 0, usedFor = use } = confirmation;
  return (
    confirmation.tenantId === user.tenantId &&
    confirmation.userId === user.userId &&
    confirmation.purpose === purpose &&
    confirmation.status === 'confirmed' &&
    decidedAt >= now - freshFor &&
    usedFor === use &&
    devices.some(({ deviceId }) => deviceId === confirmation.deviceId)
  );
}

/**
 * Whether a code may still be used by a user who has devices: the device that confirmed must be among them.
 */
export const isStillAuthorized = (
  authorization: Authorization | undefined,
  devices: readonly Device[],
): boolean =>
  authorization?.by === 'recovery' || devices.some(({ deviceId }) => deviceId === authorization?.deviceId);

/** One answer whatever is wrong with a confirmation: nobody learns what became of another's. */
export const confirmationRequired = (purpose: Purpose): Refusal =>
  new Refusal(
    'confirmation-required',
    `Expected the nonce of a confirmation by this user, with the purpose "${purpose}", confirmed in the last 10 minutes on ` +
      'a device that the user still has, and not used before.',
  );
