import type { ConfirmationStore } from './confirmation-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { VersionedHistory } from '../devices/push-history-item.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { Outbox } from '../events/outbox-writer.ts';
import type { AnswerClaims } from '../devices/protocol/claims.ts';
import type { Confirmation, Status, Transition } from './confirmation.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { Device } from '../devices/device.ts';
import type { RequestContext } from '../events/event.ts';
import { sha256 } from '../kernel/identifiers.ts';
import { isSameNumber } from './number-matching.ts';
import { recordOutcome, type Outcome } from '../devices/push-history.ts';
import { Refusal } from '../kernel/refusal.ts';
import { confirmationEnded } from './confirmation-events.ts';
import { expireIfDue } from './expire-if-due.ts';

export type ChallengeAnswer = VersionedHistory & {
  device: Device;
  /** The challenge of the path, if it exists. */
  confirmation: Confirmation | undefined;
  claims: AnswerClaims;
  /** The signed answer: the evidence. */
  jws: string;
  context: RequestContext;
};

export type AnswerDeps = { confirmations: ConfirmationStore; devices: DeviceStore; outbox: Outbox };

type Decision = { transition: Transition; reason?: Confirmation['reason']; end: Outcome };

/** The challenge, if it was made for this device and is the one that was signed for. */
function challengeOf({ confirmation, device, claims }: ChallengeAnswer): Confirmation {
  const isForDevice =
    confirmation?.challengeId === claims.challengeId &&
    confirmation.tenantId === device.tenantId &&
    confirmation.userId === device.userId &&
    confirmation.deviceId === device.deviceId;
  if (isForDevice) return confirmation;
  throw new Refusal('challenge-not-found', 'The device has no such challenge.');
}

/** One conditional write decides. Whoever was slower reads again and learns what was decided. */
async function end(
  deps: AnswerDeps,
  answering: ChallengeAnswer,
  confirmation: Confirmation,
  ending: Decision,
) {
  const { device, context, jws } = answering;
  const { transition, reason } = ending;
  const answered = transition !== 'fail';
  const decision = {
    decidedAt: context.now,
    ...(reason && { reason }),
    ...(answered && { evidence: jws, deviceKey: device.key }),
  };
  const history = recordOutcome(answering.history, confirmation.challengeId, ending.end, context.now);
  try {
    await deps.outbox.commit(
      [
        deps.confirmations.transition(confirmation.challengeId, transition, context.now, decision),
        deps.devices.saveHistory(device, answering, history),
      ],
      [confirmationEnded(confirmation, transition, reason)],
      context,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('decided meanwhile', { cause: error });
    throw error;
  }
}

async function fail(
  deps: AnswerDeps,
  answering: ChallengeAnswer,
  confirmation: Confirmation,
  reason: 'wrong_number' | 'too_many_bad_responses',
) {
  await end(deps, answering, confirmation, { transition: 'fail', reason, end: { end: 'failed' } });
}

/** Junk does not count against the user; three different answers of the right device to another message do. */
async function checkMessage(deps: AnswerDeps, answering: ChallengeAnswer, confirmation: Confirmation) {
  if (answering.claims.messageHash === confirmation.messageHash) return;
  const tolerated = await deps.confirmations.countMismatch(confirmation.challengeId, sha256(answering.jws));
  if (!tolerated) await fail(deps, answering, confirmation, 'too_many_bad_responses');
  throw new Refusal('message-mismatch', 'The message hash is not that of the message that was sent.');
}

async function checkNumber(deps: AnswerDeps, answering: ChallengeAnswer, confirmation: Confirmation) {
  const { decision, number } = answering.claims;
  if (!confirmation.matchNumbers || decision === 'deny') return;
  if (number === undefined) {
    throw new Refusal('number-required', 'Expected the claim number: the one that the website shows.');
  }
  if (isSameNumber(confirmation.matchNumbers.code, number)) return;
  await fail(deps, answering, confirmation, 'wrong_number');
  throw new Refusal('wrong-number', 'The number is not the one that the website shows.');
}

function decisionOf({ decision, reason = 'user_declined' }: AnswerClaims): Decision {
  if (decision === 'confirm') return { transition: 'confirm', end: { end: 'confirmed' } };
  return { transition: 'deny', reason, end: { end: 'denied', notMe: reason === 'not_me' } };
}

/**
 * Decides a confirmation by its device's answer.
 *
 * @returns the status; again, too, for the very answer that decided
 * @throws {Refusal} in the order of contract part 3; {@link ConflictError} to be run again from its reads
 */
export async function answerChallenge(deps: AnswerDeps, answering: ChallengeAnswer): Promise<Status> {
  const confirmation = await expireIfDue(deps, challengeOf(answering), answering.context);
  if (confirmation.evidence === answering.jws) return confirmation.status;
  if (confirmation.status === 'expired') {
    throw new Refusal('challenge-expired', 'The time to answer this challenge is over.');
  }
  if (confirmation.status !== 'pending') {
    throw new Refusal('already-decided', 'The challenge was answered or withdrawn before.');
  }
  await checkMessage(deps, answering, confirmation);
  await checkNumber(deps, answering, confirmation);
  const ending = decisionOf(answering.claims);
  await end(deps, answering, confirmation, ending);
  return ending.transition === 'confirm' ? 'confirmed' : 'denied';
}
