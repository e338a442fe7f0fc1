import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { type Finding, type Probe, uncheckable } from './probe.ts';

type Result = Finding & { check: string };

/**
 * Runs all probes at the same time and prints what they found.
 *
 * @throws {CommandError} if a check failed
 */
export async function report<Subject>(
  session: Session,
  { probes, of, name }: { probes: readonly Probe<Subject>[]; of: Subject; name: string },
): Promise<void> {
  session.note(`Checking ${name} …`);
  const results = (await Promise.all(probes.map(async (probe) => await resultsOf(probe, of)))).flat();
  const failed = results.filter(({ ok }) => !ok);
  session.print({ ok: failed.length === 0, findings: results }, describeFindings(results));
  if (failed.length > 0) throw new CommandError(`${failed.length} of ${results.length} checks failed.`);
}

/** The other probes run also if one throws. */
async function resultsOf<Subject>({ name, check }: Probe<Subject>, of: Subject): Promise<Result[]> {
  try {
    return (await check(of)).map((finding) => ({ check: name, ...finding }));
  } catch (error) {
    return [{ check: name, ...uncheckable('all', error) }];
  }
}

const stateOf = ({ ok, warning }: Pick<Finding, 'ok' | 'warning'>): string => {
  if (!ok) return 'FAILED';
  return warning ? 'WARNING' : 'ok';
};

/** The most that a check tells of what is not well. There may be thousands of targets. */
const most = 20;

export function describeFindings(results: readonly Result[]): string {
  const checks = [...Map.groupBy(results, ({ check }) => check).values()].map(shorten);
  const shown = checks.flatMap((check) => check.shown);
  const rows = checks.flatMap(({ shown: its, left }) => [
    ...its.map(({ check, subject, detail, ...result }) => [stateOf(result), check, subject, detail]),
    ...(left > 0 ? [['', its[0]?.check, `${left} more`, 'are listed by --json']] : []),
  ]);
  const parts = [
    table(['', 'CHECK', 'SUBJECT', 'RESULT'], rows),
    ...describeFixes(shown),
    summaryOf(results),
  ];
  return parts.join('\n');
}

/** The last line: how it stands in all. */
function summaryOf(results: readonly Result[]): string {
  const failed = results.filter(({ ok }) => !ok).length;
  const warnings = results.filter(({ ok, warning }) => ok && warning).length;
  const counts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warnings > 0 ? [`${warnings} with a warning`] : []),
    `${results.length - failed - warnings} ok`,
  ];
  return `\n${results.length} checks: ${counts.join(', ')}.`;
}

function shorten(results: readonly Result[]): { shown: Result[]; left: number } {
  const others = results.filter(({ ok, warning }) => !ok || warning);
  const left = new Set(others.slice(most));
  return { shown: results.filter((result) => !left.has(result)), left: left.size };
}

/** Names each fix once, after all subjects that need it. */
function describeFixes(results: readonly Result[]): string[] {
  const fixable = results.filter(({ fix }) => fix !== undefined);
  const byFix = Map.groupBy(fixable, ({ fix = '' }) => fix);
  return [...byFix].map(([fix, its]) => `\n${its.map(({ subject }) => subject).join(', ')}: ${fix}`);
}
