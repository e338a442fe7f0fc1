import { Option } from 'commander';
import { type TableName, tables as definitions } from '../../core/aws/tables.ts';
import { rfc3339, seconds } from '../../core/kernel/time.ts';
import { topCommand } from '../command.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { operatorOf } from '../deployment/account-client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { clientIdExpectation, clientIdText } from '../ids.ts';
import { listOption, yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { table as textTable } from '../text-table.ts';
import { timeOption } from '../time-option.ts';
import { carryOut } from './carry-out.ts';
import { endLogs } from './end-logs.ts';
import { endOpenWork, type Ended } from './end-open-work.ts';
import { finish } from './finish.ts';
import { restoreLostRegion } from './lost-region.ts';
import { type Backup, parseBackup } from '../backup/backup.ts';
import { BackupBucket, type BackupPlace, placeOption } from '../backup/backup-client.ts';
import { type Chosen, describeRestored, planOthers, restoreOthers } from './other-parts.ts';
import { planOf, type PlannedTable } from './plan.ts';
import { RestoringTables } from './table-client.ts';
import { restoredName } from './table-names.ts';

type Options = {
  at?: number;
  from?: BackupPlace;
  backup?: string;
  client?: string[];
  table?: TableName[];
  lostRegion?: string;
  unreachable?: true;
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
    new Option(
      '--lost-region <region>',
      'restore the stage in another region, that of --region, from the copies there',
    ),
    new Option('--unreachable', 'the lost region does not answer, so its tables cannot be fenced yet'),
    new Option('--dry-run', 'only show what would be restored from what'),
    yesOption(),
  ],
  examples: [
    'restore --at 2026-03-01T08:30:00Z --dry-run',
    'restore --at 2026-03-01T08:30:00Z --yes',
    'restore --at 2026-03-01T08:30:00Z --table confirmations --yes',
    'restore --at 2026-03-01T08:30:00Z --from s3://example-omi-backups --yes',
    'restore --from s3://example-omi-backups --dry-run',
    'restore --lost-region eu-central-1 --region eu-west-1 --stage production --dry-run',
  ],
  run: restore,
});

async function restore(session: Session, options: Options): Promise<void> {
  const { at, from, backup: version, client: clients = [], table: asked, dryRun, yes } = options;
  const { lostRegion, unreachable } = options;
  if (from === undefined && version !== undefined) throw new UsageError('--backup is only for --from.');
  if (lostRegion !== undefined) {
    if (asked) throw new UsageError('--table is only for --at: a lost region has lost all tables.');
    const restoring = { lostRegion, unreachable, at, clients, dryRun, yes };
    await restoreLostRegion(session, restoring, async (deployment) =>
      from ? await readBackup({ ...deployment, region: lostRegion }, from, version) : undefined,
    );
    return;
  }
  if (unreachable) throw new UsageError('--unreachable is only for --lost-region.');
  if (at === undefined && from === undefined) throw new UsageError('Pass --at, --from, or both.');
  if (at === undefined && asked) throw new UsageError('--table is only for --at.');
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
  for (const line of describePlan(plan, at).split('\n')) session.note(line);
  if (dryRun) {
    session.print({ at: rfc3339(at), restored: false, tables: namesOf(plan) }, 'Nothing was done.');
    return;
  }
  await session.confirm(
    `Stop ${deployment.name} and restore it to ${rfc3339(at)}? What was written since then is lost.`,
    yes,
  );
  const operator = await operatorOf(deployment);
  session.note('If this is interrupted, run it again: it goes on. The stage stands still until then.');
  for (const { name, currentArn } of plan) {
    if (currentArn === undefined) continue;
    await tables.fence(currentArn, operator);
    session.note(`${name}: the present table takes no more calls of the service`);
  }
  await carryOut(
    session,
    { tables, stage: deployment.stage },
    plan,
    async ({ current, restored, backup }) => {
      if (backup) await tables.restoreFrom(backup.arn, restored);
      else await tables.restoreAt(current, restored, at);
    },
  );
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

async function restoreWithoutTables(session: Session, deployment: Deployment, chosen: Chosen): Promise<void> {
  const plan = await planOthers(session, deployment, chosen);
  const { backup, dryRun } = chosen;
  const others = await restoreOthers(session, deployment, { plan, backup, dryRun });
  session.print(others, describeRestored(others));
}
