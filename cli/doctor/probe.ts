import { explainError } from '../describe-error.ts';
import { CommandError } from '../command-error.ts';
import type { Finding } from './check.ts';

/** By AWS's names of what is not there: DynamoDB's and Lambda's, SQS's, SNS's. */
const missing = new Set(['ResourceNotFoundException', 'QueueDoesNotExist', 'NotFoundException', 'NotFound']);

export const isMissing = (error: unknown): boolean => error instanceof Error && missing.has(error.name);

/** One thing that could not be looked at. */
export function uncheckable(subject: string, error: unknown): Finding {
  const { what, hint } = explainError(error);
  const detail = `could not be looked at: ${what}`;
  return { subject, ok: false, detail, ...(hint !== undefined && { fix: hint }) };
}

/** Something of the stack's that somebody deleted by hand. */
export const gone = (subject: string, fix: string): Finding => ({
  subject,
  ok: false,
  detail: 'is not there: somebody deleted it',
  fix,
});

export type Looking<T> = {
  subjectOf: (thing: T) => string;
  look: (thing: T) => Promise<Finding | Finding[]>;
  /** What to do about one that is not there. */
  fix: string;
};

/** Looks at all of a kind; one that is gone, or cannot be asked, hides none of the others. */
export async function checkEach<T>(
  things: readonly T[],
  { subjectOf, look, fix }: Looking<T>,
): Promise<Finding[]> {
  const found = things.map(async (thing) => {
    try {
      return await look(thing);
    } catch (error) {
      const isGone = isMissing(error) || error instanceof CommandError;
      return isGone ? gone(subjectOf(thing), fix) : uncheckable(subjectOf(thing), error);
    }
  });
  return (await Promise.all(found)).flat();
}
