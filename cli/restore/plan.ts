import { rfc3339, seconds } from '../../core/kernel/time.ts';
import type { TableName } from '../../core/aws/tables.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { RestoringTables, SystemBackup } from './table-client.ts';
import { restoredName } from './table-names.ts';

/** One table to be brought back. */
export type PlannedTable = {
  name: TableName;
  /** What the stage uses now. Without an ARN it was deleted. */
  current: string;
  currentArn: string | undefined;
  restored: string;
  at: number;
  isBegun: boolean;
  /** The backup that AWS made when the table was deleted. */
  backup: SystemBackup | undefined;
};

/** @param at whole seconds, as AWS restores tables */
export async function planOf(
  tables: RestoringTables,
  deployment: Pick<Deployment, 'tables'>,
  names: readonly TableName[],
  at: number,
): Promise<PlannedTable[]> {
  const windows = await Promise.all(
    names.map(async (name) => {
      const current = deployment.tables[name];
      const restored = restoredName(current, at);
      const [table, target] = await Promise.all([tables.find(current), tables.find(restored)]);
      if (target) requireOwn(target.RestoreSummary?.RestoreDateTime, restored, at);
      const planned = {
        name,
        current,
        currentArn: table?.TableArn,
        restored,
        at,
        isBegun: target !== undefined,
      };
      if (!table) return { ...planned, backup: await backupOf(tables, current, at), window: undefined };
      return { ...planned, backup: undefined, window: await tables.windowOf(current) };
    }),
  );
  const open = windows.filter(({ isBegun, backup }) => !isBegun && !backup);
  for (const { name, current, window } of open)
    if (!window)
      throw new CommandError(
        `Point-in-time recovery of the table ${name} (${current}) is off, so it cannot be restored.`,
        'Leave it out with --table, or restore a backup of your own by hand.',
      );
  requireWindow(
    open.flatMap(({ window }) => window ?? []),
    at,
  );
  return windows;
}

/** A table of this name that a restore to this moment did not make. */
function requireOwn(restoredTo: Date | undefined, name: string, at: number): void {
  if (restoredTo && Math.floor(restoredTo.getTime() / seconds) * seconds === at) return;
  throw new CommandError(
    `There is a table ${name} already, and it was not restored to this moment.`,
    'Delete it, or choose a --at that differs by a second.',
  );
}

async function backupOf(tables: RestoringTables, name: string, at: number): Promise<SystemBackup> {
  const backup = await tables.systemBackupOf(name);
  if (!backup)
    throw new CommandError(
      `The table ${name} does not exist, and AWS has no backup of it.`,
      'AWS keeps one for 35 days of a table that is deleted while its point-in-time recovery is on.',
    );
  const deletedAt = Math.floor(backup.deletedAt / seconds) * seconds;
  if (deletedAt === at) return backup;
  throw new CommandError(
    `The table ${name} was deleted, and AWS has only what was in it then: pass --at ${rfc3339(deletedAt)}.`,
    'With --table, other tables can be restored to another moment.',
  );
}

/** The moments to which all of the tables can be restored. */
function requireWindow(windows: readonly { earliest: number; latest: number }[], at: number): void {
  const earliest = Math.max(...windows.map((one) => one.earliest));
  const latest = Math.min(...windows.map((one) => one.latest));
  if (windows.length === 0 || (earliest <= at && at <= latest)) return;
  const range = `Possible is --at from ${rfc3339(Math.ceil(earliest / seconds) * seconds)} to ${rfc3339(Math.floor(latest / seconds) * seconds)}.`;
  throw at > latest
    ? new CommandError(
        `The tables cannot be restored to ${rfc3339(at)} yet. ${range}`,
        'AWS is about five minutes behind: run the command again then, or pass an earlier moment.',
      )
    : new CommandError(`The tables cannot be restored to ${rfc3339(at)}. ${range}`);
}
