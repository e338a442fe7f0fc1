import { transitions, type Confirmation, type Transition } from './confirmation.ts';
import { readContext } from './context.ts';
import { notifyMarks } from './notify-mark.ts';
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
    ...(confirmation.detailsHash !== undefined && { detailsHash: confirmation.detailsHash }),
    ...(reason && { reason }),
  },
});

/** The lowest version whose published schema allows the payload, so that older consumers can read as many events as possible. */
const versioned = (change: StateChange, isNewer: boolean): StateChange => ({
  ...change,
  payloadVersion: isNewer ? '1.1' : '1.0',
});

export function confirmationSent(confirmation: Confirmation): StateChange {
  const change = confirmationEvent(confirmation, 'PushNotificationSentEvent');
  const { expiresAt, detailsHash } = confirmation;
  const { purpose } = readContext(confirmation.context);
  const payload = { ...change.payload, ...(purpose && { purpose }) };
  return versioned({ ...change, expiresAt, payload }, Boolean(purpose ?? detailsHash));
}

/** How a confirmation ended. */
type End = { reason?: Confirmation['reason']; userVerified?: boolean | undefined };

/** Answers of version 1.1 always say whether the user was verified. */
const isAnswer = (transition: Transition): boolean => transition === 'confirm' || transition === 'deny';

export function confirmationEnded(
  confirmation: Confirmation,
  transition: Transition,
  { reason, userVerified = false }: End = {},
): StateChange {
  const change = confirmationEvent(confirmation, transitions[transition].event, reason);
  const isNewer = reason === 'withdrawn' || userVerified || confirmation.detailsHash !== undefined;
  const verified = isNewer && isAnswer(transition) && { userVerified };
  return {
    ...versioned({ ...change, payload: { ...change.payload, ...verified } }, isNewer),
    after: confirmation.createdAt,
    ...(confirmation.notify && { notify: notifyMarks[confirmation.notify] }),
    ...(transition === 'expire' && { occurredAt: confirmation.expiresAt }),
  };
}
