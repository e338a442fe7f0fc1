import type { CarriedOut } from '../actions/carry-out.ts';
import type { Answer, Decision } from '../omi/question.ts';
import type { Outcome } from './task-record.ts';

export const outcomeOf = (answer: Exclude<Answer, { status: 'approved' }>): Outcome => ({
  status: answer.status,
  explanation: answer.explanation,
});

const copyOf = (decision: Decision) => ({ ...decision, details: [...decision.details] });

export const approved = (decision: Decision): Outcome => ({
  status: 'approved',
  decision: copyOf(decision),
});

export const carriedOut = (decision: Decision, done: CarriedOut): Outcome =>
  done.ok
    ? { status: 'done', decision: copyOf(decision), result: done.value }
    : { status: 'failed', decision: copyOf(decision), explanation: done.explanation };

export const unavailable = (explanation: string): Outcome => ({ status: 'unavailable', explanation });

export const withdrawn = (isWithdrawn: boolean): Outcome => ({
  status: 'cancelled',
  explanation: isWithdrawn
    ? 'The question was withdrawn.'
    : 'The question could not be withdrawn. It stays until it expires, and an approval has no effect.',
});

/** The server ended between the approval and the result. */
export const interrupted = (decision: Decision): Outcome => ({
  status: 'unknown',
  decision: copyOf(decision),
  explanation: 'It was approved, and the server ended while carrying it out. Find out whether it was done.',
});
