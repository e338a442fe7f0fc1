import type { DeviceKey } from '../devices/device.ts';
import type { MatchNumbers } from './number-matching.ts';
import type { OwnPublicType } from '../events/own-events.ts';
import { retention } from '../kernel/retention.ts';
import { rfc3339, seconds } from '../kernel/time.ts';

export type Status = 'pending' | 'confirmed' | 'denied' | 'expired' | 'cancelled' | 'failed';
export type Delivery = 'sent' | 'failed' | 'unreachable';
export type Reason =
  'user_declined' | 'not_me' | 'wrong_number' | 'too_many_bad_responses' | 'device_removed' | 'withdrawn';

/** What a confirmation is to allow, where it is more than its message says: a change of the user's own devices. */
export const purposes = ['add-device', 'remove-device'] as const;
export type Purpose = (typeof purposes)[number];

/**
 * The state machine, whole: every transition leaves `pending`, and nothing leaves a final state.
 * `while: 'open'` moves only before `expiresAt`, `'over'` only from it on, so that an answer and the expiry
 * exclude each other. The store turns a row into the condition of one write; docs/architecture.md shows the same table.
 */
export const transitions = {
  confirm: { from: 'pending', while: 'open', to: 'confirmed', event: 'PushNotificationConfirmedEvent' },
  deny: { from: 'pending', while: 'open', to: 'denied', event: 'PushNotificationDeniedEvent' },
  fail: { from: 'pending', while: 'open', to: 'failed', event: 'PushNotificationFailedEvent' },
  cancel: { from: 'pending', while: 'open', to: 'cancelled', event: 'PushNotificationCancelledEvent' },
  expire: { from: 'pending', while: 'over', to: 'expired', event: 'PushNotificationExpiredEvent' },
} as const satisfies Record<
  string,
  { from: Status; while: 'open' | 'over'; to: Status; event: OwnPublicType }
>;

export type Transition = keyof typeof transitions;

/** Times in milliseconds since 1970. */
export type Confirmation = {
  challengeId: string;
  tenantId: string;
  clientId: string;
  userId: string;
  deviceId: string;
  nonce: string;
  message: string;
  messageHash: string;
  /** Seconds, as the caller asked. */
  expiresIn: number;
  purpose?: Purpose;
  status: Status;
  reason?: Reason;
  delivery: Delivery;
  createdAt: number;
  openedAt?: number;
  decidedAt?: number;
  expiresAt: number;
  matchNumbers?: MatchNumbers;
  /** The device's signed answer, and the key that verifies it. */
  evidence?: string;
  deviceKey?: DeviceKey;
  /** Hashes of the answers whose message hash was wrong. */
  mismatches?: string[];
  /** The change of the user's devices that it has allowed: a code or a device. */
  usedFor?: string;
  /** Tells a repetition from the write of the very same call that was answered late. */
  attemptId: string;
};

/** The third answer with a wrong message hash ends the confirmation (contract part 3). */
export const mismatchesAllowed = 2;

/** After this the item may be swept at any time, so it no longer exists for anyone. */
export const retainedUntil = (confirmation: Pick<Confirmation, 'expiresAt'>): number =>
  confirmation.expiresAt + retention.confirmation;

export const isExpiryDue = (confirmation: Pick<Confirmation, 'status' | 'expiresAt'>, now: number): boolean =>
  confirmation.status === 'pending' && now >= confirmation.expiresAt;

/** `expired` is computed here and never waits for a sweep. */
export const statusAt = (confirmation: Pick<Confirmation, 'status' | 'expiresAt'>, now: number): Status =>
  isExpiryDue(confirmation, now) ? 'expired' : confirmation.status;

const freshFor = 30 * seconds;

/** Seconds between polls: quick while the user is likely to answer, then easier on both sides. */
export const pollInterval = (confirmation: Confirmation, now: number): 1 | 2 =>
  now - confirmation.createdAt < freshFor ? 1 : 2;

/** `Confirmation` of the API. Only the answer of a POST adds `matchCode` and `repeated`. */
export const confirmationView = (confirmation: Confirmation, now: number) => ({
  nonce: confirmation.nonce,
  challengeId: confirmation.challengeId,
  tenantId: confirmation.tenantId,
  userId: confirmation.userId,
  deviceId: confirmation.deviceId,
  messageHash: confirmation.messageHash,
  status: statusAt(confirmation, now),
  ...(confirmation.reason && { reason: confirmation.reason }),
  delivery: confirmation.delivery,
  createdAt: rfc3339(confirmation.createdAt),
  ...(confirmation.openedAt !== undefined && { openedAt: rfc3339(confirmation.openedAt) }),
  ...(confirmation.decidedAt !== undefined && { decidedAt: rfc3339(confirmation.decidedAt) }),
  expiresAt: rfc3339(confirmation.expiresAt),
  interval: pollInterval(confirmation, now),
  ...(confirmation.evidence && { evidence: confirmation.evidence }),
  ...(confirmation.deviceKey && { deviceKey: confirmation.deviceKey }),
});

/** What the device shows: the message and its purpose, but never which number is right. */
export const challengeView = (confirmation: Confirmation, now: number) => ({
  challengeId: confirmation.challengeId,
  message: confirmation.message,
  messageHash: confirmation.messageHash,
  ...(confirmation.purpose && { purpose: confirmation.purpose }),
  createdAt: rfc3339(confirmation.createdAt),
  expiresAt: rfc3339(confirmation.expiresAt),
  expiresInMs: confirmation.expiresAt - now,
  ...(confirmation.matchNumbers?.choices && { matchNumbers: confirmation.matchNumbers.choices }),
});
