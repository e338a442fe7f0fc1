import { setTimeout } from 'node:timers/promises';
import { Option } from 'commander';
import { type TableDefinition, type TableName, tables as definitions } from '../../core/aws/tables.ts';
import { minutes, rfc3339, seconds } from '../../core/kernel/time.ts';
import { topCommand } from '../command.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { operatorOf } from '../deployment/account-client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { clientIdExpectation, clientIdText } from '../ids.ts';
import { listOption, yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { table as textTable } from '../text-table.ts';
import { timeOption } from '../time-option.ts';
import { endLogs } from './end-logs.ts';
import { endOpenWork, type Ended } from './end-open-work.ts';
import { markMinutes } from './mark-minutes.ts';
import { type Backup, parseBackup } from '../backup/backup.ts';
import { BackupBucket, type BackupPlace, placeOption } from '../backup/backup-client.ts';
import { type Chosen, describeRestored, planOthers, restoreOthers } from './other-parts.ts';
import { planOf, type PlannedTable } from './plan.ts';
import { handedOverWithin, sendAgain } from './send-again.ts';
import { RestoringTables } from './table-client.ts';
import { restoredName } from './table-names.ts';

type Options = {
  at?: number;
  from?: BackupPlace;
  backup?: string;
  client?: string[];
  table?: TableName[];
  dryRun?: true;
  yes?: true;
};

const allTables = Object.keys(definitions) as TableName[];

export const restoreCommand = topCommand<Options>({
  options: [
    timeOption('--at <time>', 'the moment of the tables, in whole seconds').makeOptionMandatory(false),
    placeOption('--from <place>', 'the bucket of "omi backup": clients, the key of web pushes, settings'),
    new Option('--backup <version>', 'not the latest backup, but this version of the object'),
    listOption(
      '--client <id...>',
      'clients that were lost, and not deleted on purpose',
      clientIdText,
      clientIdExpectation,
    ),
    new Option('--table <name...>', 'only these tables, all others stay as they are (default: all)').choices(
      allTables,
    ),
    new Option('--dry-run', 'only show what would be restored from what'),
    yesOption(),
  ],
  examples: [
    'restore --at 2026-03-01T08:30:00Z --dry-run',
    'restore --at 2026-03-01T08:30:00Z --yes',
    'restore --at 2026-03-01T08:30:00Z --table confirmations --yes',
    'restore --at 2026-03-01T08:30:00Z --from s3://example-omi-backups --yes',
    'restore --from s3://example-omi-backups --dry-run',
  ],
  run: restore,
});

async function restore(session: Session, options: Options): Promise<void> {
  const { at, from, backup: version, client: clients = [], table: asked, dryRun, yes } = options;
  if (at === undefined && from === undefined) throw new UsageError('Pass --at, --from, or both.');
  if (at === undefined && asked) throw new UsageError('--table is only for --at.');
  if (from === undefined && version !== undefined) throw new UsageError('--backup is only for --from.');
  const deployment = await session.deployment();
  const backup = from && (await readBackup(deployment, from, version));
  const chosen = { backup, clients, dryRun, yes };
  if (at === undefined) await restoreWithoutTables(session, deployment, chosen);
  else await restoreTables(session, deployment, { at, asked, ...chosen });
}

async function readBackup(
  deployment: Deployment,
  from: BackupPlace,
  version: string | undefined,
): Promise<Backup> {
  const bucket = new BackupBucket(deployment.clients.s3, from, deployment);
  return parseBackup(await bucket.read(version), deployment);
}

async function restoreTables(
  session: Session,
  deployment: Deployment,
  { at, asked = allTables, ...chosen }: Chosen & { at: number; asked: TableName[] | undefined },
): Promise<void> {
  const { dryRun, yes } = chosen;
  if (at % seconds !== 0)
    throw new UsageError('AWS restores tables to whole seconds: leave out the fraction of --at.');
  const names = withLedger(asked);
  const inUse = names.filter((name) => deployment.tables[name] === restoredName(deployment.tables[name], at));
  if (inUse.length === names.length) {
    await finish(session, deployment, { names, at, ...chosen });
    return;
  }
  if (inUse.length > 0)
    throw new CommandError(
      `The stage uses only some of the restored tables: ${inUse.join(', ')}.`,
      'Name all of them in "data.tables" in the settings of the stage, and deploy.',
    );
  if (chosen.clients.length > 0)
    throw new UsageError(
      '--client is for the run after the deployment, which lists the clients in question.',
    );
  const tables = new RestoringTables(deployment.clients.tables);
  const plan = await planOf(tables, deployment, names, at);
  session.note(describePlan(plan, at));
  if (dryRun) {
    session.print({ at: rfc3339(at), restored: false, tables: namesOf(plan) }, 'Nothing was done.');
    return;
  }
  await session.confirm(
    `Stop ${deployment.name} and restore it to ${rfc3339(at)}? What was written since then is lost.`,
    yes,
  );
  await carryOut(session, deployment, tables, plan);
  const used = { ...deployment.tables, ...namesOf(plan) };
  const ended = {
    ...(await endOpenWork(deployment, used, new Set(names))),
    logs: await endRestoredLogs(deployment, plan),
  };
  session.print(
    { at: rfc3339(at), restored: true, tables: namesOf(plan), ended },
    nextSteps(deployment, plan, ended),
  );
}

async function endRestoredLogs(
  { clients, tables }: Deployment,
  plan: readonly PlannedTable[],
): Promise<number> {
  const log = plan.find(({ name }) => name === 'log');
  if (!log) return 0;
  return await endLogs(
    clients,
    { ...tables, ...namesOf(plan) },
    log.currentArn === undefined ? undefined : log.current,
  );
}

/** What is counted of events belongs to these events. */
const withLedger = (names: readonly TableName[]): TableName[] =>
  allTables.filter((name) => names.includes(name) || (name === 'ledger' && names.includes('events')));

const namesOf = (plan: readonly PlannedTable[]): Partial<Record<TableName, string>> =>
  Object.fromEntries(plan.map(({ name, restored }) => [name, restored]));

const describePlan = (plan: readonly PlannedTable[], at: number): string =>
  textTable(
    ['TABLE', 'FROM', 'INTO'],
    plan.map(({ name, current, backup, restored, isBegun }) => [
      name,
      backup ? `the backup of ${current}, which was deleted` : `${current} at ${rfc3339(at)}`,
      `${restored}${isBegun ? ' (begun)' : ''}`,
    ]),
  );

/** Each step is repeated without harm, so that an interrupted command can be run again. */
async function carryOut(
  session: Session,
  deployment: Deployment,
  tables: RestoringTables,
  plan: readonly PlannedTable[],
): Promise<void> {
  const operator = await operatorOf(deployment);
  for (const { name, currentArn } of plan) {
    if (currentArn === undefined) continue;
    await tables.fence(currentArn, operator);
    session.note(`${name}: the present table takes no more calls of the service`);
  }
  const begun = Date.now();
  await Promise.all(
    plan.map(async (planned) => {
      const { name, restored } = planned;
      if (!planned.isBegun) await begin(tables, planned);
      await untilActive(session, tables, { name, restored, begun });
      const definition: TableDefinition = definitions[name];
      while (await changed(tables, restored, definition, deployment.stage))
        await untilActive(session, tables, { name, restored, begun });
      session.note(`${name}: complete after ${elapsed(begun)}`);
    }),
  );
}

async function begin(
  tables: RestoringTables,
  { current, restored, backup, at }: PlannedTable,
): Promise<void> {
  if (backup) await tables.restoreFrom(backup.arn, restored);
  else await tables.restoreAt(current, restored, at);
}

/** AWS's names for: not yet, or another change is under way. */
const busy = new Set([
  'ContinuousBackupsUnavailableException',
  'ResourceInUseException',
  'LimitExceededException',
]);

async function changed(
  tables: RestoringTables,
  name: string,
  definition: TableDefinition,
  stage: string,
): Promise<boolean> {
  try {
    return await tables.complete(name, definition, stage);
  } catch (error) {
    if (error instanceof Error && busy.has(error.name)) return true;
    throw error;
  }
}

const firstPauseMs = 0.2 * seconds;
const longestPauseMs = 10 * seconds;

/** AWS takes from some minutes to hours, whatever the size of the table. */
async function untilActive(
  session: Session,
  tables: RestoringTables,
  { name, restored, begun }: { name: string; restored: string; begun: number },
): Promise<void> {
  let notedAt = Date.now();
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, 1.5 * pause)) {
    const { TableStatus } = (await tables.find(restored)) ?? {};
    if (TableStatus === 'ACTIVE') return;
    if (TableStatus !== undefined && !['CREATING', 'UPDATING'].includes(TableStatus))
      throw new CommandError(
        `The table ${restored} is ${TableStatus}.`,
        'Delete it, and run the command again.',
      );
    if (Date.now() - notedAt >= minutes) {
      session.note(`${name}: ${TableStatus ?? 'not there yet'} after ${elapsed(begun)}`);
      notedAt = Date.now();
    }
    await setTimeout(pause);
  }
}

const elapsed = (begun: number): string => `${Math.round((Date.now() - begun) / seconds)} s`;

const nextSteps = (
  { stage, selector }: Deployment,
  plan: readonly PlannedTable[],
  { confirmations, usable, codes, logs }: Ended & { logs: number },
): string => `The tables are restored. The stage does not use them yet.
Ended, because nobody knows what became of them: ${confirmations} open confirmations, ${usable} uses of confirmations, ${codes} codes.
Logs that go on under another name, because what they had since is lost: ${logs}.

1. In the settings of the stage ${stage}:

${JSON.stringify({ data: { tables: namesOf(plan) } }, null, 2)}

2. npx cdk deploy --all --import-existing-resources -c stage=${stage}
3. The same command again: npx omi restore ${selector} …`;

type Finish = Chosen & { names: readonly TableName[]; at: number };

async function finish(
  session: Session,
  deployment: Deployment,
  { names, at, ...chosen }: Finish,
): Promise<void> {
  const { backup, clients, dryRun } = chosen;
  const isWhole = names.includes('tenants') || backup !== undefined;
  if (!isWhole && clients.length > 0)
    throw new UsageError('--client needs --from, or the table tenants among those of --table.');
  session.note('The stage uses the restored tables.');
  const plan = isWhole ? await planOthers(session, deployment, chosen) : undefined;
  const needed = names.includes('events') && !dryRun;
  const sentAgain = needed ? await sendAgain(deployment, at) : [];
  const isLogBehind = !dryRun && (names.includes('events') || names.includes('log'));
  const marked = isLogBehind ? await markMinutes(deployment, at - handedOverWithin) : 0;
  const others = plan && (await restoreOthers(session, deployment, { plan, backup, dryRun }));
  const sent =
    sentAgain.length === 0
      ? 'There is nothing more to do with the tables.'
      : `${sentAgain.length} replays have begun, of the hour before ${rfc3339(at)}. Consumers drop what they have.`;
  session.print(
    { at: rfc3339(at), inUse: true, sentAgain, marked, ...others },
    [sent, ...(others ? [describeRestored(others)] : [])].join('\n'),
  );
}

async function restoreWithoutTables(session: Session, deployment: Deployment, chosen: Chosen): Promise<void> {
  const plan = await planOthers(session, deployment, chosen);
  const { backup, dryRun } = chosen;
  const others = await restoreOthers(session, deployment, { plan, backup, dryRun });
  session.print(others, describeRestored(others));
}
