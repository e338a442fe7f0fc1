import {
  LogError,
  type LogFinding,
  type LogState,
  type LogTrust,
  openCheckpoint,
  verifyTree,
} from '#consumer';
import type { Category } from '../../core/events/target-ref.ts';
import { type GrowingTree, rootOfTree, withLeaf } from '../../core/export/log/growing-tree.ts';
import { hashOfMinute } from '../../core/export/log/leaf.ts';
import type { LogHead } from '../../core/export/log/log-head.ts';
import { type StoredLogs, storedExports } from './stored-exports.ts';
import type { StoredHeads } from './stored-heads.ts';

/** What the verifier trusts: the name of the log, the service's keys, and earlier checkpoints. */
export type TreeTrust = LogTrust & {
  category: Category;
  kept: readonly string[];
  /** The clock, for tests. */
  now?: () => number;
};

const none: LogState = { size: 0, peaks: [] };
const nothing = new Date(0);

/**
 * Verifies that the stored minutes are those of the last signed checkpoint, that it continues the earlier ones, and that the minutes
 * after it are those of the tree that the next checkpoint will sign.
 */
export async function verifyStoredTree(
  logs: StoredLogs,
  heads: StoredHeads,
  trust: TreeTrust,
): Promise<LogFinding[]> {
  const { findings, state } = await verifySigned(logs, heads, trust);
  const rest = state && (await findingAfter(logs, heads.latest, state));
  return rest ? [...findings, rest] : findings;
}

type Signed = {
  findings: LogFinding[];
  /** How far the minutes are verified. Missing if they are not those of the checkpoint. */
  state?: LogState | undefined;
};

async function verifySigned(
  logs: StoredLogs,
  { latest, all }: StoredHeads,
  trust: TreeTrust,
): Promise<Signed> {
  const { signed, tree } = latest;
  if (!signed) return { findings: trust.kept.map((text) => lost(text, trust)), state: none };
  if (signed.size > tree.size) return { findings: [rolledBack(tree.size, signed.size)] };
  try {
    const exports = storedExports(logs, all, signed);
    const { findings, state } = await verifyTree({ ...trust, exports, from: nothing, to: nothing });
    return { findings, state: findings.some(({ fault }) => fault === 'wrong-root') ? undefined : state };
  } catch (error) {
    return { findings: [findingOf(error)], state: none };
  }
}

const rolledBack = (size: number, known: number): LogFinding => ({
  fault: 'rolled-back',
  detail: `The log has ${size} leaves, and had ${known}.`,
});

/** The finding for a checkpoint that somebody has, of a log that has none. */
function lost(text: string, trust: TreeTrust): LogFinding {
  try {
    return rolledBack(0, openCheckpoint(text, trust).size);
  } catch (error) {
    return findingOf(error);
  }
}

function findingOf(error: unknown): LogFinding {
  if (error instanceof LogError) return { fault: error.code, detail: error.message };
  throw error;
}

const minutesAtOnce = 10_000;

/** The minutes after the checkpoint, which no signature covers yet. */
async function findingAfter(
  logs: StoredLogs,
  { log, tree: expected }: LogHead,
  state: LogState,
): Promise<LogFinding | undefined> {
  const wrong: LogFinding = {
    fault: 'wrong-root',
    detail: 'The minutes after the last checkpoint are not those of the tree.',
  };
  let tree: GrowingTree = {
    size: state.size,
    peaks: state.peaks.map((peak) => Buffer.from(peak, 'base64')),
  };
  // Before every minute.
  let last = state.minute ?? '0';
  while (tree.size < expected.size) {
    const minutes = await logs.minutes(log, { first: `${last}~`, end: '~' }, minutesAtOnce);
    if (minutes.length === 0) return wrong;
    for (const minute of minutes) {
      // The log has grown since its head was read.
      if (tree.size === expected.size) break;
      if (minute.leafIndex !== tree.size) return wrong;
      ({ tree } = withLeaf(tree, hashOfMinute(minute)));
      last = minute.minute;
    }
  }
  return rootOfTree(tree).equals(rootOfTree(expected)) ? undefined : wrong;
}
