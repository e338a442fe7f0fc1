import { transitions, type Confirmation, type Transition } from './confirmation.ts';
import type { StateChange } from '../events/event.ts';
import type { OwnPublicType } from '../events/own-events.ts';

/** The event of a confirmation's state change: ids and a hash, never the message, the nonce or a token. */
const confirmationEvent = (
  confirmation: Confirmation,
  type: OwnPublicType,
  reason = confirmation.reason,
): StateChange => ({
  tenantId: confirmation.tenantId,
  userId: confirmation.userId,
  aggregateId: confirmation.challengeId,
  type,
  tag: 'CREDENTIAL_VERIFICATION',
  payload: {
    userId: confirmation.userId,
    deviceId: confirmation.deviceId,
    challengeId: confirmation.challengeId,
    messageHash: confirmation.messageHash,
    ...(reason && { reason }),
  },
});

/** With its purpose, where it has one: version 1.0 has no place for it. */
export function confirmationSent(confirmation: Confirmation): StateChange {
  const change = confirmationEvent(confirmation, 'PushNotificationSentEvent');
  const { expiresAt, purpose } = confirmation;
  if (!purpose) return { ...change, expiresAt };
  return { ...change, expiresAt, payloadVersion: '1.1', payload: { ...change.payload, purpose } };
}

/**
 * What a published schema does not allow needs a higher version of it. Everything else keeps the lower version, so that
 * consumers who know only that one can still read it.
 */
const endedVersion = (reason: Confirmation['reason']) => (reason === 'withdrawn' ? '1.1' : '1.0');

/** How a confirmation ended. */
export const confirmationEnded = (
  confirmation: Confirmation,
  transition: Transition,
  reason?: Confirmation['reason'],
): StateChange => ({
  ...confirmationEvent(confirmation, transitions[transition].event, reason),
  payloadVersion: endedVersion(reason),
  after: confirmation.createdAt,
  ...(transition === 'expire' && { occurredAt: confirmation.expiresAt }),
});
