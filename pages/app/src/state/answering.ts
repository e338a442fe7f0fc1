import type { Answer, UserVerification } from '#device';
import { without } from '#ui/without.ts';
import { endChallenge } from './challenges.ts';
import { isRemoval, markRemoved, withOffset } from './contacts.ts';
import type { Effect } from './effects.ts';
import type { Message } from './messages.ts';
import {
  accountOf,
  challengeOf,
  type Answering,
  type AnswerProblem,
  type EndedChallenge,
  type OpenChallenge,
  type State,
} from './state.ts';
import type { Update } from './effects.ts';

type AnswerMessage = Extract<Message, { type: 'decided' | 'verified' | 'answered' | 'answer-failed' }>;
type Named<Type extends AnswerMessage['type']> = Extract<AnswerMessage, { type: Type }>;

/** One answer at a time: choose, verify the user where that is asked for, send. */
export function updateAnswering(state: State, message: AnswerMessage): Update {
  const open = challengeOf(state, message.challengeId);
  if (!open) return [state, []];
  if (message.type === 'decided') return decide(state, open, message);
  const { answering } = state;
  if (answering?.challengeId !== message.challengeId) return [state, []];
  if (message.type === 'verified') return verify(state, open, answering, message);
  if (message.type === 'answered') return endChallenge(state, open, outcomeOf(answering, message.status));
  return fail(state, open, answering, message);
}

const freshAnswer = ({ challengeId, typedNumber = false }: OpenChallenge['challenge']): Answering => ({
  challengeId,
  phase: 'idle',
  asksNumber: typedNumber,
  requiresVerification: false,
});

function decide(state: State, open: OpenChallenge, message: Named<'decided'>): Update {
  const { challengeId, decision, number } = message;
  const isBusy = state.answering !== undefined && state.answering.phase !== 'idle';
  if (isBusy || state.enrolling?.step.at === 'working') return [state, []];
  const before = state.answering?.challengeId === challengeId ? state.answering : freshAnswer(open.challenge);
  const answering: Answering = {
    ...without(before, 'problem', 'number'),
    decision,
    ...(number !== undefined && { number }),
  };
  if (decision !== 'confirm') return send(state, open, answering);
  const problem = numberProblem(open, answering);
  if (problem) return stop(state, answering, problem);
  if (message.unverified && !isRequired(open, answering)) return send(state, open, answering);
  return confirm(state, open, answering);
}

function numberProblem(
  { challenge }: OpenChallenge,
  { number, asksNumber }: Answering,
): AnswerProblem | undefined {
  if (challenge.matchNumbers)
    return challenge.matchNumbers.includes(number ?? '') ? undefined : 'number-missing';
  if (!asksNumber) return undefined;
  if (!number) return 'number-missing';
  return /^[0-9]{6}$/.test(number) ? undefined : 'number-format';
}

const isRequired = ({ context }: OpenChallenge, { requiresVerification }: Answering): boolean =>
  requiresVerification || context.userVerification === 'required';

const isWanted = ({ context }: OpenChallenge, { requiresVerification }: Answering): boolean =>
  requiresVerification || context.userVerification !== 'off';

function confirm(state: State, open: OpenChallenge, answering: Answering): Update {
  const account = accountOf(state, open.deviceId);
  if (!account || answering.verification || !isWanted(open, answering)) return send(state, open, answering);
  if (account.passkey) {
    const verifying: Answering = { ...answering, phase: 'verifying' };
    return [{ ...state, answering: verifying }, [{ type: 'verify', account, challenge: open.challenge }]];
  }
  return isRequired(open, answering)
    ? stop(state, answering, 'passkey-missing')
    : send(state, open, answering);
}

const stop = (state: State, answering: Answering, problem: AnswerProblem): Update => [
  { ...state, answering: { ...answering, phase: 'idle', problem } },
  [],
];

function send(state: State, { deviceId, challenge }: OpenChallenge, answering: Answering): Update {
  const account = accountOf(state, deviceId);
  if (!account) return [state, []];
  const effect: Effect = { type: 'answer', account, challenge, answer: answerOf(answering) };
  return [{ ...state, answering: { ...answering, phase: 'sending' } }, [effect]];
}

function answerOf({ decision, number, verification }: Answering): Answer {
  if (decision === 'deny') return { decision: 'deny', reason: 'user_declined' };
  if (decision === 'not_me') return { decision: 'deny', reason: 'not_me' };
  return {
    decision: 'confirm',
    ...(number !== undefined && { number }),
    ...(verification && { userVerification: verification }),
  };
}

function verify(
  state: State,
  open: OpenChallenge,
  answering: Answering,
  { result }: Named<'verified'>,
): Update {
  if (answering.phase !== 'verifying') return [state, []];
  if (result.outcome === 'verified') {
    const verification: UserVerification = result.userVerification;
    return send(state, open, { ...answering, verification });
  }
  if (result.outcome === 'cancelled') return stop(state, answering, 'verification-cancelled');
  return isRequired(open, answering)
    ? stop(state, answering, 'passkey-missing')
    : send(state, open, answering);
}

/** The service's status, or what was decided if it is one that this app does not know. */
function outcomeOf({ decision }: Answering, status: string): EndedChallenge['outcome'] {
  if (status === 'expired' || status === 'cancelled' || status === 'failed') return status;
  if (decision === 'not_me') return 'not_me';
  return decision === 'deny' ? 'denied' : 'confirmed';
}

/** Refusals that end the challenge, as far as this device is concerned. */
const endings: Readonly<Record<string, EndedChallenge['outcome']>> = {
  'wrong-number': 'failed',
  'already-decided': 'cancelled',
  'challenge-not-found': 'cancelled',
  'challenge-expired': 'expired',
  'message-mismatch': 'mismatch',
};

function fail(
  state: State,
  open: OpenChallenge,
  answering: Answering,
  { failure }: Named<'answer-failed'>,
): Update {
  const ending = Object.hasOwn(endings, failure.code) ? endings[failure.code] : undefined;
  if (ending) return endChallenge(state, open, ending);
  if (isRemoval(failure.code)) return [markRemoved(state, open.deviceId), []];
  return stopFor(withOffset(state, failure.serverTime), answering, failure.code);
}

function stopFor(state: State, answering: Answering, code: string): Update {
  switch (code) {
    case 'number-required':
      return [{ ...state, answering: { ...answering, phase: 'idle', asksNumber: true } }, []];
    case 'user-verification-required':
      return stop(state, { ...answering, requiresVerification: true }, 'verification-needed');
    case 'user-verification-failed':
      return stop(state, without(answering, 'verification'), 'verification-failed');
    case 'passkey-counter':
      return stop(state, without(answering, 'verification'), 'passkey-counter');
    case 'clock-skew':
      return stop(state, answering, 'clock');
    case 'network':
    case 'temporarily-unavailable':
      return stop(state, answering, 'not-sent');
    default:
      return stop(state, answering, 'unexpected');
  }
}
