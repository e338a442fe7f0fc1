import type { ConfirmationStore } from './confirmation-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { VersionedHistory } from '../devices/push-history-item.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { PushSenders } from '../devices/push/push-channels.ts';
import type { Outbox } from '../events/outbox-writer.ts';
import type { AnswerClaims } from '../devices/protocol/claims.ts';
import {
  askedDevices,
  type Confirmation,
  type Reason,
  type Status,
  type Transition,
} from './confirmation.ts';
import { readContext } from './context.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { Device } from '../devices/device.ts';
import type { RequestContext } from '../events/event.ts';
import { sha256 } from '../kernel/identifiers.ts';
import { isSameNumber } from './number-matching.ts';
import { recordOutcome, type Outcome } from '../devices/push-history.ts';
import { Refusal } from '../kernel/refusal.ts';
import { verifyAssertion } from '../devices/passkeys/assertion.ts';
import type { RelyingParty } from '../devices/passkeys/passkey.ts';
import { verificationRequired } from '../devices/passkeys/verification-failed.ts';
import { confirmationEnded, type Answer } from './confirmation-events.ts';
import { expireIfDue } from './expire-if-due.ts';
import type { Closing } from './groups/close-votes.ts';
import { countVote } from './groups/count-vote.ts';
import type { GroupStore } from './groups/group-store.ts';
import { notifyOfAnswer, notifyOfDecision } from './notify-of-answer.ts';

export type ChallengeAnswer = VersionedHistory & {
  device: Device;
  /** The challenge of the request's path, if it exists. */
  confirmation: Confirmation | undefined;
  claims: AnswerClaims;
  /** The signed answer: the evidence. */
  jws: string;
  context: RequestContext;
};

export type AnswerDeps = {
  push: PushSenders;
  confirmations: ConfirmationStore;
  devices: DeviceStore;
  outbox: Outbox;
  groups: GroupStore;
  relyingParty: RelyingParty;
};

/** A valid assertion of the device's passkey. */
type UserVerification = { counter: number };

/** How an answer ends a confirmation, and what it counts as in the user's history. */
type Ending = {
  transition: Transition;
  reason?: Reason;
  outcome: Outcome;
  userVerification?: UserVerification | undefined;
};

/**
 * Decides a confirmation by its device's answer. The same answer again gets the same status.
 *
 * @throws {Refusal} in the order of the checks below; {@link ConflictError} when the caller must read again and retry
 */
export async function answerChallenge(deps: AnswerDeps, answer: ChallengeAnswer): Promise<Status> {
  const confirmation = await expireIfDue(deps, challengeOf(answer), answer.context);
  if (confirmation.evidence === answer.jws) return confirmation.status;
  if (confirmation.status === 'expired') throw tooLate();
  if (confirmation.status !== 'pending') {
    throw new Refusal('already-decided', 'The challenge was answered or withdrawn before.');
  }
  await checkMessage(deps, answer, confirmation);
  // Before the number, so that a stolen device without its user cannot try a number.
  const userVerification = verifyUser(deps, answer, confirmation);
  await checkNumber(deps, answer, confirmation, userVerification);
  const ending = { ...endingOf(answer), userVerification };
  await end(deps, answer, confirmation, ending);
  return ending.transition === 'confirm' ? 'confirmed' : 'denied';
}

const tooLate = (): Refusal => new Refusal('challenge-expired', 'The time to answer this challenge is over.');

/** The challenge, if it belongs to this device and is the one that was signed. */
function challengeOf({ confirmation, device, claims }: ChallengeAnswer): Confirmation {
  const isForDevice =
    confirmation?.challengeId === claims.challengeId &&
    confirmation.tenantId === device.tenantId &&
    confirmation.userId === device.userId &&
    askedDevices(confirmation).includes(device.deviceId);
  if (isForDevice) return confirmation;
  throw new Refusal('challenge-not-found', 'The device has no such challenge.');
}

/** The device signs the hash of everything that it showed. */
const isShown = (claims: AnswerClaims, { messageHash, detailsHash, contextHash }: Confirmation): boolean =>
  claims.messageHash === messageHash &&
  claims.detailsHash === detailsHash &&
  claims.contextHash === contextHash;

/** Only answers with the right device's signature count, so strangers cannot end a confirmation. */
async function checkMessage(deps: AnswerDeps, answer: ChallengeAnswer, confirmation: Confirmation) {
  if (isShown(answer.claims, confirmation)) return;
  const tolerated = await deps.confirmations.countMismatch(confirmation.challengeId, sha256(answer.jws));
  if (!tolerated) await fail(deps, answer, confirmation, 'too_many_bad_responses');
  throw new Refusal(
    'message-mismatch',
    'The hash of the message, the details or the context does not match.',
  );
}

/** An assertion that was sent is checked in every mode, and for both decisions. */
function verifyUser(
  { relyingParty }: AnswerDeps,
  { device, claims }: ChallengeAnswer,
  confirmation: Confirmation,
): UserVerification | undefined {
  const { decision, userVerification } = claims;
  if (userVerification) {
    const decided = { ...confirmation, decision };
    return { counter: verifyAssertion(userVerification, decided, device, relyingParty) };
  }
  const { userVerification: mode } = readContext(confirmation.context);
  if (mode !== 'required' || decision === 'deny') return undefined;
  throw verificationRequired("Expected the claim userVerification: an assertion of the device's passkey.");
}

async function checkNumber(
  deps: AnswerDeps,
  answer: ChallengeAnswer,
  confirmation: Confirmation,
  userVerification: UserVerification | undefined,
) {
  const { decision, number } = answer.claims;
  if (!confirmation.matchNumbers || decision === 'deny') return;
  if (number === undefined) {
    throw new Refusal('number-required', 'Expected the claim number: the number that the website shows.');
  }
  if (isSameNumber(confirmation.matchNumbers.code, number)) return;
  await fail(deps, answer, confirmation, 'wrong_number', userVerification);
  throw new Refusal('wrong-number', 'The number differs from the one that the website shows.');
}

function endingOf({ claims, device: { deviceId } }: ChallengeAnswer): Ending {
  const { decision, reason = 'user_declined' } = claims;
  if (decision === 'confirm') return { transition: 'confirm', outcome: { end: 'confirmed', deviceId } };
  return { transition: 'deny', reason, outcome: { end: 'denied', notMe: reason === 'not_me' } };
}

async function fail(
  deps: AnswerDeps,
  answer: ChallengeAnswer,
  confirmation: Confirmation,
  reason: Reason,
  userVerification?: UserVerification,
) {
  const ending: Ending = { transition: 'fail', reason, outcome: { end: 'failed' }, userVerification };
  await end(deps, answer, confirmation, ending);
}

/** What anyone needs to verify the answer later. */
const evidenceOf = (
  { device, jws }: ChallengeAnswer,
  userVerification: UserVerification | undefined,
): Answer => ({
  evidence: jws,
  deviceKey: device.key,
  receipt: device.receipt,
  ...(userVerification && device.passkey && { userVerified: true as const, passkeyKey: device.passkey.key }),
});

/** One conditional write decides. A concurrent answer, withdrawal or removal fails the condition and reads again. */
async function end(deps: AnswerDeps, answer: ChallengeAnswer, confirmation: Confirmation, ending: Ending) {
  const { device, context } = answer;
  const { transition, reason, outcome, userVerification } = ending;
  const evidence = transition === 'fail' ? undefined : evidenceOf(answer, userVerification);
  const { deviceId } = device;
  const decision = {
    ...(confirmation.asked && { deviceId }),
    decidedAt: context.now,
    ...(reason && { reason }),
    ...evidence,
  };
  const isVote = confirmation.groupId !== undefined;
  const group = isVote ? await countVote(deps, confirmation, transition === 'confirm', context) : noGroup;
  if (!group) throw tooLate();
  const history = recordOutcome(answer.history, confirmation.challengeId, outcome, context.now);
  try {
    await deps.outbox.commit(
      [
        deps.confirmations.transition(confirmation.challengeId, transition, context.now, decision),
        deps.devices.saveHistory(device, answer, history),
        ...(userVerification?.counter ? [deps.devices.advanceCounter(device, userVerification.counter)] : []),
        ...group.writes,
      ],
      [
        confirmationEnded({ ...confirmation, deviceId }, transition, { reason, answer: evidence }),
        ...group.changes,
      ],
      context,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('decided meanwhile', { cause: error });
    throw error;
  }
  await Promise.all([
    notifyOfAnswer(deps, { ...confirmation, deviceId }),
    ...group.closed.map(async (vote) => await notifyOfDecision(deps, vote)),
  ]);
}

const noGroup: Closing = { writes: [], changes: [], closed: [] };
