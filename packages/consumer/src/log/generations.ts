import { ConsumerError } from '../consumer-error.ts';
import type { Exports } from '../exports/exports-client.ts';
import type { Category } from '../exports/types.ts';
import { openCheckpoint, type Checkpoint, type LogTrust } from './checkpoint.ts';
import { LogError, type LogFinding } from './log-error.ts';
import { isConsistent, leafHash } from './merkle.ts';

export type GenerationsOptions = LogTrust & {
  exports: Pick<Exports, 'checkpoint' | 'consistencyProof'>;
  category: Category;
};

/** The first leaf of a log that a restore has begun. */
export const firstLeaf = ({ text }: Checkpoint): Uint8Array => leafHash(text);

/**
 * Follows a log back over restores: each log that a restore has begun has the last checkpoint of the log before as its first leaf.
 *
 * @returns the last checkpoint of each log, the oldest first
 */
export async function readGenerations(
  options: GenerationsOptions,
  served: Checkpoint,
): Promise<{ logs: Checkpoint[]; findings: LogFinding[] }> {
  const logs = [served];
  for (let [later, number] = [served, served.generation - 1]; number > 0; number -= 1) {
    const text = await textOf(options, number);
    // A log of this number was begun and lost again, by another restore.
    if (text === undefined) continue;
    const earlier = await earlierOf(options, { text, number }, later);
    if (!earlier) return { logs, findings: [notContinued(later)] };
    logs.unshift(earlier);
    later = earlier;
  }
  const [oldest = served] = logs;
  return { logs, findings: oldest.generation === 1 ? [] : [notContinued(oldest)] };
}

async function textOf(
  { exports, category }: GenerationsOptions,
  generation: number,
): Promise<string | undefined> {
  try {
    return await exports.checkpoint(category, generation);
  } catch (error) {
    if (error instanceof ConsumerError && error.code === 'not-in-log') return undefined;
    throw error;
  }
}

/** @returns nothing if it is not the last checkpoint of the log before */
async function earlierOf(
  { exports, ...trust }: GenerationsOptions,
  { text, number }: { text: string; number: number },
  later: Checkpoint,
): Promise<Checkpoint | undefined> {
  try {
    const earlier = openCheckpoint(text, trust);
    const { size, generation } = later;
    const path =
      size > 1 ? await exports.consistencyProof(trust.category, { from: 1, to: size }, generation) : [];
    const first = { size: 1, root: firstLeaf(earlier) };
    const hashes = path.map((hash) => Buffer.from(hash, 'base64'));
    return earlier.generation === number && isConsistent(first, later, hashes) ? earlier : undefined;
  } catch (error) {
    if (error instanceof LogError) return undefined;
    throw error;
  }
}

const notContinued = ({ origin }: Checkpoint): LogFinding => ({
  fault: 'split-view',
  detail: `The log ${origin} does not begin with the last checkpoint of the log before the restore.`,
});
