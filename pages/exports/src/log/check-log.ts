import type { Category } from '../api/shapes.ts';
import { bytesOf, type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { isConsistent } from './consistency.ts';
import type { KeptCheckpoints } from './kept-checkpoints.ts';

export type LogApi = {
  checkpoint: (category: Category) => Promise<string>;
  /** Hashes in base64. */
  consistency: (category: Category, range: { from: number; to: number }) => Promise<string[]>;
};

/** What was found. `since`: the log is known since then. */
export type LogCheck = {
  outcome: 'first' | 'unchanged' | 'changed' | 'other-log' | 'unreadable';
  /** The one that is served now. */
  checkpoint: string;
  size: number;
  since?: string;
};

export type LogCheckDeps = { api: LogApi; kept: KeptCheckpoints; now: () => number };

/**
 * Compares the log with the checkpoint that this browser has kept, and keeps the new one if it continues it.
 *
 * @param pasted a checkpoint from elsewhere, to compare with it in place of the kept one
 */
export async function checkLog(
  { api, kept, now }: LogCheckDeps,
  tenantId: string,
  category: Category,
  pasted?: string,
): Promise<LogCheck> {
  const served = readCheckpoint(await api.checkpoint(category));
  if (!served) return { outcome: 'unreadable', checkpoint: '', size: 0 };
  const found = { checkpoint: served.text, size: served.size };
  if (pasted !== undefined) {
    const earlier = readCheckpoint(pasted);
    return { ...found, outcome: earlier ? await compare(api, category, earlier, served) : 'unreadable' };
  }
  const last = kept.find(tenantId, category);
  const earlier = last && readCheckpoint(last.text);
  const keep = (since: string): void => kept.keep(tenantId, category, { text: served.text, since });
  if (!last || !earlier) {
    keep(new Date(now()).toISOString());
    return { ...found, outcome: 'first' };
  }
  const outcome = await compare(api, category, earlier, served);
  // What does not continue the kept one must not take its place: it is the proof.
  if (outcome === 'unchanged') keep(last.since);
  return { ...found, outcome, since: last.since };
}

async function compare(
  api: LogApi,
  category: Category,
  earlier: Checkpoint,
  served: Checkpoint,
): Promise<LogCheck['outcome']> {
  if (earlier.origin !== served.origin) return 'other-log';
  const isProvable = earlier.size > 0 && earlier.size < served.size;
  const range = { from: earlier.size, to: served.size };
  const path = isProvable ? await api.consistency(category, range) : [];
  return (await isConsistent(earlier, served, path.map(bytesOf))) ? 'unchanged' : 'changed';
}
