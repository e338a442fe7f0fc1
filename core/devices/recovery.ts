import { hours } from '../kernel/time.ts';

/**
 * The help desk lets the tenant's website enrol one device for a user without a confirmation. It is no code: it changes only
 * what the website's own call may do. Times are in milliseconds since 1970.
 */
export type Recovery = {
  recoveryId: string;
  /** The member of staff who asked for it, and when. */
  requestedBy: string;
  requestedAt: number;
  /** Where the tenant wants two: the other member. */
  agreedBy?: string;
  /** From then on the website may use it. Absent while another member must agree. */
  allowedAt?: number;
  /** When the recovery, or the request for it, ends. */
  expiresAt: number;
  /** What tells the user's devices of it. Whoever denies it stops the recovery. */
  question?: { challengeId: string; deviceIds: string[] };
  /** A code was made with it. */
  usedAt?: number;
  /** A device stopped it, or a member of staff withdrew it. */
  stoppedAt?: number;
};

export const recoveryLifetimeMs = 24 * hours;

export type RecoveryState = 'requested' | 'allowed' | 'used' | 'stopped' | 'expired';

export function recoveryState(
  { stoppedAt, usedAt, expiresAt, allowedAt }: Recovery,
  now: number,
): RecoveryState {
  if (stoppedAt !== undefined) return 'stopped';
  if (usedAt !== undefined) return 'used';
  if (now >= expiresAt) return 'expired';
  return allowedAt === undefined ? 'requested' : 'allowed';
}

/** The recovery that a website may use now. */
export const usableRecovery = (recovery: Recovery | undefined, now: number): Recovery | undefined =>
  recovery && recoveryState(recovery, now) === 'allowed' ? recovery : undefined;

/** A code that was made with the recovery is void once somebody has stopped it. */
export const isStillAllowed = (recovery: Recovery | undefined, recoveryId: string): boolean =>
  recovery?.recoveryId === recoveryId && recovery.stoppedAt === undefined;

/** The question that this device is to show. It stays until it is answered, also after the recovery was used. */
export const recoveryQuestionOn = (
  recovery: Recovery | undefined,
  deviceId: string,
  now: number,
): string | undefined =>
  recovery?.question?.deviceIds.includes(deviceId) === true &&
  recovery.stoppedAt === undefined &&
  now < recovery.expiresAt
    ? recovery.question.challengeId
    : undefined;
