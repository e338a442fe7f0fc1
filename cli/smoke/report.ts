import { fields } from '../text-table.ts';
import type { StepResult } from './step-runner.ts';
import type { Leftover } from './undo-list.ts';

/** The result as JSON. */
export type Report = {
  /** True if every step passed, and nothing was left behind. */
  ok: boolean;
  tenantId: string;
  steps: StepResult[];
  leftovers: Leftover[];
  /** What expires by itself. */
  kept: { what: string; until: string }[];
};

const marks: Record<StepResult['status'], string> = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' };

/** A step as one line. The reason and the hint of a failure follow on their own lines. */
export function describeStep({ status, name, title, seconds, detail, reason, hint }: StepResult): string {
  const explained = detail === undefined ? '' : `: ${detail}`;
  const took = status === 'skipped' ? '' : ` (${seconds.toFixed(1)} s)`;
  const lines = [`${marks[status]}  ${name.padEnd(12)}  ${title}${explained}${took}`];
  if (reason !== undefined) lines.push(`         ${reason}`);
  if (hint !== undefined) lines.push(`         ${hint}`);
  return lines.join('\n');
}

export function describeReport({ ok, steps, leftovers, kept }: Report): string {
  const count = (status: StepResult['status']): number =>
    steps.filter((step) => step.status === status).length;
  const outcome = ok
    ? `All ${steps.length} steps passed, and nothing is left behind.`
    : `${count('ok')} of ${steps.length} steps passed, ${count('failed')} failed, ${count('skipped')} were skipped.${leftovers.length === 0 ? ' Nothing is left behind.' : ''}`;
  const left = leftovers.map(({ what, reason, fix }) => `Left behind: ${what} (${reason}).\n  ${fix}`);
  const ends = fields(Object.fromEntries(kept.map(({ what, until }) => [what, until])));
  return [outcome, ...left, `What expires by itself:\n${ends}`].join('\n');
}
