import type { Deployment } from '../deployment/deployment.ts';
import { Failure } from '../failure.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import type { Check, Finding } from './check.ts';
import { alarms } from './checks/alarms.ts';
import { api } from './checks/api.ts';
import { eventSources } from './checks/event-sources.ts';
import { pushApplications } from './checks/push-applications.ts';
import { queues } from './checks/queues.ts';
import { tables } from './checks/tables.ts';
import { targets } from './checks/targets.ts';

const checks: readonly Check[] = [api, tables, queues, eventSources, pushApplications, targets, alarms];

type Result = Finding & { check: string };

export async function examine(session: Session): Promise<void> {
  const deployment = await session.deployment();
  session.note(`Looking at ${deployment.name} …`);
  const results = (await Promise.all(checks.map(async (check) => await resultsOf(check, deployment)))).flat();
  const wrong = results.filter(({ ok }) => !ok);
  session.print({ ok: wrong.length === 0, findings: results }, describe(results));
  if (wrong.length > 0)
    throw new Failure(`${wrong.length} of ${results.length} things that were looked at are wrong.`);
}

/** A check that cannot be made is no reason to leave the others. */
async function resultsOf({ name, look }: Check, deployment: Deployment): Promise<Result[]> {
  try {
    return (await look(deployment)).map((finding) => ({ check: name, ...finding }));
  } catch (error) {
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const way = error instanceof Failure ? error.way : undefined;
    return [
      {
        check: name,
        subject: 'all',
        ok: false,
        detail: `could not be looked at: ${detail}`,
        ...(way && { mend: way }),
      },
    ];
  }
}

const describe = (results: readonly Result[]): string =>
  [
    table(
      ['', 'WHAT', 'WHICH', 'HOW IT IS'],
      results.map(({ check, subject, ok, detail }) => [ok ? 'ok' : 'WRONG', check, subject, detail]),
    ),
    ...results.flatMap(({ subject, mend }) => (mend === undefined ? [] : [`\n${subject}: ${mend}`])),
  ].join('\n');
