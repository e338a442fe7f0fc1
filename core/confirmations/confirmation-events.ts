import { askedDevices, transitions, type Confirmation, type Transition } from './confirmation.ts';
import { readContext } from './context.ts';
import { fromStoredJws } from '../devices/protocol/stored-jws.ts';
import { notifyCodes } from './notify-codes.ts';
import type { StateChange } from '../events/event.ts';
import type { OwnPublicType } from '../events/own-events.ts';

/** All devices that are asked, until one of them has answered. None, if the member of a group could not be asked. */
function devicesIn(confirmation: Confirmation) {
  if (confirmation.deviceId !== undefined) return { deviceId: confirmation.deviceId };
  return confirmation.asked ? { deviceIds: askedDevices(confirmation) } : {};
}

/** Events contain ids and hashes, never the message, the nonce or a token. Evidence is there only where the tenant wants it. */
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
    ...devicesIn(confirmation),
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
  const { expiresAt, detailsHash, asked, groupId } = confirmation;
  const { purpose } = readContext(confirmation.context);
  const payload = {
    ...change.payload,
    ...(groupId !== undefined && { groupId }),
    ...(purpose && { purpose }),
  };
  return versioned({ ...change, expiresAt, payload }, Boolean(purpose ?? detailsHash ?? asked));
}

/** How a confirmation ended. */
type End = { reason?: Confirmation['reason']; answer?: Answer | undefined };

/** What anyone needs to verify the device's answer. */
export type Answer = Required<Pick<Confirmation, 'evidence' | 'deviceKey' | 'receipt'>> &
  Pick<Confirmation, 'userVerified' | 'passkeyKey'>;

/** Message and details stay with the website: the context says what else the device showed. */
const evidenceIn = ({ context }: Confirmation, { evidence, deviceKey, receipt, passkeyKey }: Answer) => ({
  context,
  evidence,
  deviceKey,
  receipt: fromStoredJws(receipt),
  ...(passkeyKey && { passkeyKey }),
});

/** Answers of version 1.1 always say whether the user was verified. */
const isAnswer = (transition: Transition): boolean => transition === 'confirm' || transition === 'deny';

export function confirmationEnded(
  confirmation: Confirmation,
  transition: Transition,
  { reason, answer }: End = {},
): StateChange {
  const change = confirmationEvent(confirmation, transitions[transition].event, reason);
  const shown = answer && confirmation.evidenceInEvents && evidenceIn(confirmation, answer);
  const userVerified = answer?.userVerified ?? false;
  const isNewer =
    reason === 'withdrawn' ||
    reason === 'group_decided' ||
    userVerified ||
    shown !== undefined ||
    confirmation.detailsHash !== undefined ||
    confirmation.deviceId === undefined;
  const verified = isNewer && isAnswer(transition) && { userVerified };
  return {
    ...versioned({ ...change, payload: { ...change.payload, ...verified, ...shown } }, isNewer),
    after: confirmation.createdAt,
    ...(confirmation.notify && { notify: notifyCodes[confirmation.notify] }),
    ...(transition === 'expire' && { occurredAt: confirmation.expiresAt }),
  };
}
