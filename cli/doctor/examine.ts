import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import type { Check, Finding } from './check.ts';
import { alarms } from './probes/alarms-probe.ts';
import { api } from './probes/api-probe.ts';
import { eventSources } from './probes/event-sources-probe.ts';
import { pushApplications } from './probes/push-applications-probe.ts';
import { queues } from './probes/queues-probe.ts';
import { tables } from './probes/tables-probe.ts';
import { targets } from './probes/targets-probe.ts';
import { uncheckable } from './probe.ts';

const checks: readonly Check[] = [api, tables, queues, eventSources, pushApplications, targets, alarms];

type Result = Finding & { check: string };

export async function examine(session: Session): Promise<void> {
  const deployment = await session.deployment();
  session.note(`Looking at ${deployment.name} …`);
  const results = (await Promise.all(checks.map(async (check) => await resultsOf(check, deployment)))).flat();
  const wrong = results.filter(({ ok }) => !ok);
  session.print({ ok: wrong.length === 0, findings: results }, describe(results));
  if (wrong.length > 0)
    throw new CommandError(`${wrong.length} of ${results.length} things that were looked at are wrong.`);
}

/** A check that cannot be made is no reason to leave the others. */
async function resultsOf({ name, look }: Check, deployment: Deployment): Promise<Result[]> {
  try {
    return (await look(deployment)).map((finding) => ({ check: name, ...finding }));
  } catch (error) {
    return [{ check: name, ...uncheckable('all', error) }];
  }
}

const describe = (results: readonly Result[]): string =>
  [
    table(
      ['', 'WHAT', 'WHICH', 'HOW IT IS'],
      results.map(({ check, subject, ok, detail }) => [ok ? 'ok' : 'WRONG', check, subject, detail]),
    ),
    ...fixesOf(results),
  ].join('\n');

/** What is mended in one fix is told once. */
function fixesOf(results: readonly Result[]): string[] {
  const wrong = results.filter(({ fix }) => fix !== undefined);
  const fixes = Map.groupBy(wrong, ({ fix = '' }) => fix);
  return [...fixes].map(([fix, its]) => `\n${its.map(({ subject }) => subject).join(', ')}: ${fix}`);
}
