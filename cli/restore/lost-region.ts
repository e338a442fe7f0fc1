import { type TableName, tables as definitions } from '../../core/aws/tables.ts';
import { minutes, rfc3339, seconds } from '../../core/kernel/time.ts';
import type { Backup } from '../backup/backup.ts';
import { type Copy, CopiesVault } from '../backup/copies-client.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { operatorOf } from '../deployment/account-client.ts';
import { Clients } from '../deployment/aws-clients.ts';
import { copiedStage, regionOf } from '../deployment/cloud-client.ts';
import type { CopiedStage, Deployment } from '../deployment/deployment.ts';
import { explainError } from '../describe-error.ts';
import type { Session } from '../session.ts';
import { ProfileStore } from '../tenants/profile-store.ts';
import { table as textTable } from '../text-table.ts';
import { carryOut, type RestoredTable } from './carry-out.ts';
import { RestoreJobs } from './restore-jobs-client.ts';
import { endLogs } from './end-logs.ts';
import { endOpenWork, type Ended } from './end-open-work.ts';
import { finish } from './finish.ts';
import type { Chosen } from './other-parts.ts';
import { RestoringTables } from './table-client.ts';
import { momentOf, restoredName } from './table-names.ts';

export type LostRegion = Omit<Chosen, 'backup'> & {
  lostRegion: string;
  /** The operator knows that the region does not answer. */
  unreachable: true | undefined;
  /** Of each table the last copy until then. Default: the last one. */
  at: number | undefined;
};

/** The stage in the region of its copies, which may not be deployed there yet. */
type Place = { stage: string; region: string; clients: Clients; copied: CopiedStage };

type CopiedTable = RestoredTable & { from: string; copy: Copy };

const allTables = Object.keys(definitions) as TableName[];

/** Restores a stage in the region of its copies. Before that, and at each later run, its tables in the lost region are fenced. */
export async function restoreLostRegion(
  session: Session,
  options: LostRegion,
  readBackup: (deployment: Deployment) => Promise<Backup | undefined>,
): Promise<void> {
  const { stage, region: chosen, local } = session.place;
  if (local) throw new UsageError('--lost-region restores a stage on AWS. The local stack has one region.');
  const region = await regionOf(chosen, session.environment);
  if (region === options.lostRegion)
    throw new UsageError(`--region names the region with the copies, which is not ${region} itself.`);
  const clients = new Clients({ region });
  try {
    const copied = await copiedStage(clients, stage, region);
    if (copied.of !== options.lostRegion)
      throw new CommandError(`The copies in ${region} are those of omi-${stage} in ${copied.of}.`);
    const place = { stage, region, clients, copied };
    const at = restoredTo(place);
    if (at === undefined) {
      if (options.clients.length > 0)
        throw new UsageError(
          '--client is for the run after the deployment, which lists the clients in question.',
        );
      await restoreTables(session, place, options);
      return;
    }
    const deployment = await session.deployment();
    const backup = await readBackup(deployment);
    if (!options.dryRun) await fence(session, place, options);
    await finish(session, deployment, { ...options, names: allTables, at, backup, isNewPlace: true });
  } finally {
    clients.close();
  }
}

/** The moment of the events, if the stage uses tables that were restored from the copies. */
function restoredTo({ stage, region, copied: { tables, deployed } }: Place): number | undefined {
  if (!deployed) return undefined;
  const moments = allTables.map((name) => momentOf(deployed[name], tables[name]));
  if (moments.every((moment) => moment !== undefined)) return momentOf(deployed.events, tables.events);
  if (moments.every((moment) => moment === undefined)) return undefined;
  throw new CommandError(
    `omi-${stage} in ${region} uses only some of the restored tables.`,
    'Name all of them in "data.tables" in the settings of the stage, and deploy.',
  );
}

async function restoreTables(session: Session, place: Place, options: LostRegion): Promise<void> {
  const { stage, region, clients, copied } = place;
  const { dryRun, yes, lostRegion } = options;
  await requireEmpty(place);
  const tables = new RestoringTables(clients.tables);
  const plan = await planOf(place, tables, options.at);
  for (const line of describePlan(plan).split('\n')) session.note(line);
  const names = Object.fromEntries(plan.map(({ name, restored }) => [name, restored]));
  const moments = plan.map(({ copy }) => copy.at);
  const [oldest, newest] = [Math.min(...moments), Math.max(...moments)];
  const at = rfc3339(Math.ceil(newest / seconds) * seconds);
  const result = { lostRegion, at, oldest: rfc3339(oldest), tables: names, keys: copied.keys };
  if (dryRun) {
    session.print({ ...result, restored: false }, 'Nothing was done.');
    return;
  }
  await session.confirm(
    `Restore omi-${stage} in ${region}, and stop it in ${lostRegion}? What was written since ${rfc3339(oldest)} may be lost.`,
    yes,
  );
  session.note(`If this is interrupted, run it again with --at ${at}.`);
  const fenced = await fence(session, place, options);
  const jobs = new RestoreJobs(clients.backup, copied.restoreRoleArn);
  await carryOut(session, { tables, stage }, plan, async ({ copy, restored }) => {
    const isThere = async () => (await tables.find(restored)) !== undefined;
    const job = await jobs.start(copy, restored, isThere);
    if (job !== undefined) await jobs.untilMade(job, restored);
  });
  const used = { ...copied.tables, ...names };
  const ended = {
    ...(await endOpenWork({ clients }, used, new Set(allTables))),
    logs: await endLogs(clients, used, undefined),
  };
  session.print({ ...result, restored: true, fenced, ended }, nextSteps(place, { names, fenced, ended }));
}

/** A stage that serves in this region must not lose what it has. */
async function requireEmpty({ stage, region, clients, copied }: Place): Promise<void> {
  if (!copied.deployed) return;
  const tenants = await new ProfileStore(clients.dynamodb, copied.deployed.tenants).list();
  if (tenants.length === 0) return;
  throw new CommandError(
    `omi-${stage} in ${region} has ${tenants.length} tenants of its own. Nothing was done.`,
    'A restore would replace them. If the stage has served here since, restore it with --at instead.',
  );
}

async function planOf(
  { region, clients, copied }: Place,
  tables: RestoringTables,
  at: number | undefined,
): Promise<CopiedTable[]> {
  const copies = await new CopiesVault(clients.backup, copied.vault).last(at ?? Date.now());
  const lacking = allTables.filter((name) => !copies.has(copied.tables[name]));
  if (lacking.length > 0)
    throw new CommandError(
      `The vault ${copied.vault} in ${region} has no complete copy of ${lacking.join(', ')}${at === undefined ? '' : ` until ${rfc3339(at)}`}.`,
      'The jobs of AWS Backup tell why: aws backup list-copy-jobs, in the region of the stage.',
    );
  const planned = allTables.flatMap((name): Omit<CopiedTable, 'isBegun'>[] => {
    const from = copied.tables[name];
    const copy = copies.get(from);
    return copy ? [{ name, from, copy, restored: restoredName(from, copy.at) }] : [];
  });
  return await Promise.all(
    planned.map(async (one) => ({ ...one, isBegun: (await tables.find(one.restored)) !== undefined })),
  );
}

const describePlan = (plan: readonly CopiedTable[]): string =>
  textTable(
    ['TABLE', 'COPY', 'AGE', 'INTO'],
    plan.map(({ name, copy, restored, isBegun }) => [
      name,
      rfc3339(copy.at),
      `${Math.round((Date.now() - copy.at) / minutes)} min`,
      `${restored}${isBegun ? ' (begun)' : ''}`,
    ]),
  );

/**
 * No Lambda of the stage in the lost region reads or writes its tables from then on: it exports, expires and calls back no more.
 *
 * @returns false if the region does not answer, and the operator knows that
 */
async function fence(
  session: Session,
  { stage, region, clients, copied }: Place,
  { lostRegion, unreachable }: LostRegion,
): Promise<boolean> {
  const operator = await operatorOf({ clients, stage, region });
  const there = new RestoringTables(clients.in(lostRegion).tables);
  try {
    for (const name of allTables) {
      const table = await there.find(copied.tables[name]);
      if (table?.TableArn !== undefined) await there.fence(table.TableArn, operator);
    }
  } catch (error) {
    if (isAnswer(error)) throw error;
    const what = `The tables in ${lostRegion} are not fenced: ${explainError(error).what}`;
    if (!unreachable)
      throw new CommandError(
        what,
        `If nobody can reach ${lostRegion}, pass --unreachable, and run the command again without it as soon as the region answers. Until then a stage that still runs there exports, expires and calls back as well.`,
      );
    session.note(what);
    return false;
  }
  session.note(`The tables in ${lostRegion} take no more calls of the service.`);
  return true;
}

/** AWS is there and refuses, for example for want of a permission. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && '$fault' in error && error.$fault === 'client';

type Restored = { names: object; fenced: boolean; ended: Ended & { logs: number } };

function nextSteps({ stage, region, copied }: Place, { names, fenced, ended }: Restored): string {
  const settings = {
    env: { region },
    rollout: 'all-at-once',
    data: { tables: names, keys: copied.keys },
  };
  const secret = `aws secretsmanager get-secret-value --region ${region} --secret-id ${copied.webPushSecretArn.replace(`:${copied.of}:`, `:${region}:`)} --query SecretString --output text`;
  const again = `npx omi restore --lost-region ${copied.of} --region ${region} --stage ${stage}`;
  return `The tables are restored in ${region}. No stage uses them yet.
Ended, because nobody knows what became of them: ${ended.confirmations} open confirmations, ${ended.usable} uses of confirmations, ${ended.codes} codes.
${fenced ? '' : `\nThe tables in ${copied.of} are not fenced. Run the same command again without --unreachable as soon as the region answers.\n`}
1. In the settings of the stage ${stage}, without data.copies, and with the certificates of this region:

${JSON.stringify(settings, null, 2)}

2. npx cdk deploy omi-${stage}-data --import-existing-resources -c stage=${stage}
3. Give the new secret the key of web pushes; <secret> is the output WebPushSecretArn of omi-${stage}-data:
   ${secret} | aws secretsmanager put-secret-value --region ${region} --secret-id <secret> --secret-string file:///dev/stdin
4. npx cdk deploy --all --import-existing-resources -c stage=${stage}
5. Point the names of the API and the pages to this region.
6. ${again} --from s3://…`;
}
