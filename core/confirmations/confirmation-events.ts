import { transitions, type Confirmation, type Transition } from './confirmation.ts';
import type { StateChange } from '../events/event.ts';
import type { OwnPublicType } from '../events/own-events.ts';

/** Events contain ids and a hash, never the message, the nonce or a token. */
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

/** The purpose needs payload version 1.1. */
export function confirmationSent(confirmation: Confirmation): StateChange {
  const change = confirmationEvent(confirmation, 'PushNotificationSentEvent');
  const { expiresAt, purpose } = confirmation;
  if (!purpose) return { ...change, expiresAt };
  return { ...change, expiresAt, payloadVersion: '1.1', payload: { ...change.payload, purpose } };
}

/** How a confirmation ended. */
type End = { reason?: Confirmation['reason']; userVerified?: true | undefined };

/** The lowest version whose published schema allows the payload, so that older consumers can read as many events as possible. */
const payloadVersionOf = ({ reason, userVerified }: End) =>
  reason === 'withdrawn' || userVerified ? '1.1' : '1.0';

export function confirmationEnded(
  confirmation: Confirmation,
  transition: Transition,
  end: End = {},
): StateChange {
  const { reason, userVerified } = end;
  const change = confirmationEvent(confirmation, transitions[transition].event, reason);
  return {
    ...change,
    payload: { ...change.payload, ...(userVerified && { userVerified }) },
    payloadVersion: payloadVersionOf(end),
    after: confirmation.createdAt,
    ...(transition === 'expire' && { occurredAt: confirmation.expiresAt }),
  };
}
