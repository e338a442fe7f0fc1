import { setTimeout } from 'node:timers/promises';
import { type TableDefinition, type TableName, tables as definitions } from '../../core/aws/tables.ts';
import { minutes, seconds } from '../../core/kernel/time.ts';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import type { RestoringTables } from './table-client.ts';

/** A table that a restore makes. */
export type RestoredTable = { name: TableName; restored: string; isBegun: boolean };

/**
 * Makes the tables, unless that has begun, and completes them. Each step is repeated without harm, so that an interrupted command
 * can be run again.
 */
export async function carryOut<Planned extends RestoredTable>(
  session: Session,
  { tables, stage }: { tables: RestoringTables; stage: string },
  plan: readonly Planned[],
  begin: (planned: Planned) => Promise<void>,
): Promise<void> {
  const begun = Date.now();
  await Promise.all(
    plan.map(async (planned) => {
      const { name, restored } = planned;
      if (!planned.isBegun) await begin(planned);
      await untilActive(session, tables, { name, restored, begun });
      const definition: TableDefinition = definitions[name];
      while (await changed(tables, restored, definition, stage))
        await untilActive(session, tables, { name, restored, begun });
      session.note(`${name}: complete after ${elapsed(begun)}`);
    }),
  );
}

/** AWS's names for: not yet, or another change is under way. */
const busy = new Set([
  'ContinuousBackupsUnavailableException',
  'ResourceInUseException',
  'LimitExceededException',
]);

/** Another run of the command made the same change in between. */
const isDone = ({ name, message }: Error): boolean =>
  name === 'ValidationException' && message.includes('already');

async function changed(
  tables: RestoringTables,
  name: string,
  definition: TableDefinition,
  stage: string,
): Promise<boolean> {
  try {
    return await tables.complete(name, definition, stage);
  } catch (error) {
    if (error instanceof Error && (busy.has(error.name) || isDone(error))) return true;
    throw error;
  }
}

export const firstPauseMs = 0.2 * seconds;
export const longestPauseMs = 10 * seconds;

/** AWS takes from some minutes to hours, whatever the size of the table. */
async function untilActive(
  session: Session,
  tables: RestoringTables,
  { name, restored, begun }: { name: string; restored: string; begun: number },
): Promise<void> {
  let notedAt = Date.now();
  let wasThere = false;
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, 1.5 * pause)) {
    const { TableStatus } = (await tables.find(restored)) ?? {};
    if (TableStatus === 'ACTIVE') return;
    if (wasThere && TableStatus === undefined)
      throw new CommandError(
        `The table ${restored} is gone: AWS could not make it.`,
        'Run the command again.',
      );
    wasThere ||= TableStatus !== undefined;
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
