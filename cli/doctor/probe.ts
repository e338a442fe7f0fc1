import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { explainError } from '../describe-error.ts';

/** The result of one check. */
export type Finding = {
  /** What was checked. */
  subject: string;
  ok: boolean;
  /** Nothing is broken, but the operator should know. */
  warning?: true;
  detail: string;
  /** What to do. */
  fix?: string;
};

/** So many findings are named one by one. Of more that are well, only their number is told: what is wrong must stand out. */
const most = 20;

/**
 * Findings about things of which there may be very many, with those that are well counted if they are a crowd.
 *
 * @param kind in the plural, for example `targets`
 * @param detail what those that are well have in common
 */
export function withoutCrowd(findings: readonly Finding[], kind: string, detail: string): Finding[] {
  const { well = [], wrong = [] } = Object.groupBy(findings, ({ ok, warning }) =>
    ok && !warning ? 'well' : 'wrong',
  );
  if (well.length <= most) return [...findings];
  return [{ subject: `${well.length} ${kind}`, ok: true, detail }, ...wrong];
}

/** Checks one part of a deployment, or of an account before it. Without findings there is nothing of this kind. */
export type Probe<Subject = Deployment> = { name: string; check: (of: Subject) => Promise<Finding[]> };

/** The names of AWS's errors for a missing resource, in DynamoDB and Lambda, SQS, and SNS. */
const missing = new Set(['ResourceNotFoundException', 'QueueDoesNotExist', 'NotFoundException', 'NotFound']);

const isMissing = (error: unknown): boolean => error instanceof Error && missing.has(error.name);

export function uncheckable(subject: string, error: unknown): Finding {
  const { what, hint } = explainError(error);
  const detail = `could not be checked: ${what}`;
  return { subject, ok: false, detail, ...(hint !== undefined && { fix: hint }) };
}

/** A resource of the stack that was deleted by hand. */
export const deleted = (subject: string, fix: string): Finding => ({
  subject,
  ok: false,
  detail: 'does not exist: it was deleted',
  fix,
});

type Checking<T> = {
  subjectOf: (thing: T) => string;
  check: (thing: T) => Promise<Finding | Finding[]>;
  /** What to do about a missing one. */
  fix: string;
};

/** Checks all of a kind. The others are checked also if one is missing or cannot be checked. */
export async function checkEach<T>(
  things: readonly T[],
  { subjectOf, check, fix }: Checking<T>,
): Promise<Finding[]> {
  const findings = things.map(async (thing) => {
    try {
      return await check(thing);
    } catch (error) {
      const isDeleted = isMissing(error) || error instanceof CommandError;
      return isDeleted ? deleted(subjectOf(thing), fix) : uncheckable(subjectOf(thing), error);
    }
  });
  return (await Promise.all(findings)).flat();
}
