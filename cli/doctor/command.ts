import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { type Finding, type Probe, uncheckable } from './probe.ts';
import { alarmsProbe } from './probes/alarms-probe.ts';
import { apiProbe } from './probes/api-probe.ts';
import { appProbe } from './probes/app-probe.ts';
import { baseUrlsProbe } from './probes/base-urls-probe.ts';
import { demoProbe } from './probes/demo-probe.ts';
import { eventSourcesProbe } from './probes/event-sources-probe.ts';
import { exportsProbe } from './probes/exports-probe.ts';
import { openidProbe } from './probes/openid-probe.ts';
import { publishedKeysProbe } from './probes/published-keys-probe.ts';
import { passkeysProbe } from './probes/passkeys-probe.ts';
import { pushApplicationsProbe } from './probes/push-applications-probe.ts';
import { queuesProbe } from './probes/queues-probe.ts';
import { receiversProbe } from './probes/receivers-probe.ts';
import { recoveryProbe } from './probes/recovery-probe.ts';
import { tablesProbe } from './probes/tables-probe.ts';
import { targetsProbe } from './probes/targets-probe.ts';

export const doctorCommand = defineCommand({
  name: 'doctor',
  description:
    'Checks the whole deployment, and says what is wrong and how to fix it. Exit code 1 if a check failed.',
  examples: ['doctor --stage production --region eu-central-1', 'doctor --local --json'],
  run: examine,
});

const probes: readonly Probe[] = [
  apiProbe,
  baseUrlsProbe,
  openidProbe,
  publishedKeysProbe,
  appProbe,
  exportsProbe,
  tablesProbe,
  queuesProbe,
  eventSourcesProbe,
  pushApplicationsProbe,
  passkeysProbe,
  targetsProbe,
  receiversProbe,
  recoveryProbe,
  demoProbe,
  alarmsProbe,
];

type Result = Finding & { check: string };

async function examine(session: Session): Promise<void> {
  const deployment = await session.deployment();
  session.note(`Checking ${deployment.name} …`);
  const results = (await Promise.all(probes.map(async (probe) => await resultsOf(probe, deployment)))).flat();
  const failed = results.filter(({ ok }) => !ok);
  session.print({ ok: failed.length === 0, findings: results }, describeFindings(results));
  if (failed.length > 0) throw new CommandError(`${failed.length} of ${results.length} checks failed.`);
}

/** The other probes run also if one throws. */
async function resultsOf({ name, check }: Probe, deployment: Deployment): Promise<Result[]> {
  try {
    return (await check(deployment)).map((finding) => ({ check: name, ...finding }));
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
  return [table(['', 'CHECK', 'SUBJECT', 'RESULT'], rows), ...describeFixes(shown)].join('\n');
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
