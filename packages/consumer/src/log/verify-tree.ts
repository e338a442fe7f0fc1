import type { Category, LogMinute } from '../exports/types.ts';
import type { Exports } from '../exports/exports-client.ts';
import { openCheckpoint, type Checkpoint, type LogTrust } from './checkpoint.ts';
import { firstLeaf, readGenerations } from './generations.ts';
import { LogError, type LogFinding } from './log-error.ts';
import { isConsistent, isSameHash, Tree } from './merkle.ts';
import { minuteLeaf } from './verify-inclusion.ts';

const dayMs = 24 * 3_600_000;
/** Minutes of so many days are an answer of less than 1 MB. */
const windowMs = 5 * dayMs;
/** No log is older. */
const firstLog = Date.UTC(2026, 10, 1);

export type VerifyTreeOptions = LogTrust & {
  exports: Pick<Exports, 'checkpoint' | 'logMinutes' | 'consistencyProof'>;
  category: Category;
  /** The minutes of the result. */
  from: Date;
  to: Date;
  /** Checkpoints that you kept, or that others got: the log, or one that it continues since a restore, must contain all of them. */
  kept?: readonly string[];
  /** The state of an earlier result: minutes before it are not read again, unless they are in the range. */
  state?: LogState;
  /** The clock, for tests. */
  now?: () => number;
};

/** How far a log was read. Keep it like a checkpoint. Hashes in base64. */
export type LogState = {
  size: number;
  peaks: readonly string[];
  minute?: string;
  /** The generation of the log: 1 if it is missing. */
  generation?: number;
};

/** A minute, and the generation of the log that has it. */
export type FoundMinute = LogMinute & { generation: number };

export type TreeVerification = {
  findings: LogFinding[];
  /** The one that is served. */
  checkpoint: Checkpoint;
  /** The last ones of the logs that it continues since restores, and the one that is served, oldest first. */
  logs: Checkpoint[];
  /** Those of the range. */
  minutes: FoundMinute[];
  state: LogState;
};

/**
 * Verifies what needs no copy of the events: the signature of the served checkpoint, that its log contains every checkpoint that is
 * known, and that all minutes are those of the checkpoint.
 *
 * @throws {ConsumerError} if the service cannot be asked
 * @throws {LogError} if its checkpoint is not one: `malformed-checkpoint`, `other-log` or `wrong-signature`
 */
export async function verifyTree(options: VerifyTreeOptions): Promise<TreeVerification> {
  const checkpoint = openCheckpoint(await options.exports.checkpoint(options.category), options);
  const { logs, findings } = await readGenerations(options, checkpoint);
  findings.push(...(await compareCheckpoints(options, logs)));
  const read = await readLogs(options, logs);
  if (read.finding) findings.push(read.finding);
  return { findings, checkpoint, logs, minutes: read.minutes, state: read.state };
}

/** Each checkpoint must be the beginning of its log. */
async function compareCheckpoints(
  { exports, category, kept = [], ...trust }: VerifyTreeOptions,
  logs: readonly Checkpoint[],
): Promise<LogFinding[]> {
  const findings: LogFinding[] = [];
  for (const text of new Set(kept)) {
    const finding = await findingOf(
      text,
      { ...trust, category },
      logs,
      async (range, generation) => await exports.consistencyProof(category, range, generation),
    );
    if (finding) findings.push(finding);
  }
  return findings;
}

type Prove = (range: { from: number; to: number }, generation: number) => Promise<string[]>;

async function findingOf(
  text: string,
  trust: LogTrust,
  logs: readonly Checkpoint[],
  prove: Prove,
): Promise<LogFinding | undefined> {
  let known: Checkpoint;
  try {
    known = openCheckpoint(text, trust);
  } catch (error) {
    if (error instanceof LogError) return { fault: error.code, detail: error.message };
    throw error;
  }
  const log = logs.find(({ generation }) => generation === known.generation);
  if (!log) return { fault: 'rolled-back', detail: `The log ${known.origin} is gone.` };
  if (known.size > log.size)
    return {
      fault: 'rolled-back',
      detail: `The log has ${log.size} leaves, and had ${known.size}.${log === logs.at(-1) ? '' : ' A restore of the service may have taken it back.'}`,
    };
  const path = known.size === log.size ? [] : await prove({ from: known.size, to: log.size }, log.generation);
  const hashes = path.map((hash) => Buffer.from(hash, 'base64'));
  if (isConsistent(known, log, hashes)) return undefined;
  return {
    fault: 'split-view',
    detail: `The log does not begin with the checkpoint of ${known.size} leaves: somebody was shown another history.`,
  };
}

/** A minute of the range must be read to be compared, so a state behind it is of no use. Neither is one of a log that is gone. */
function usable(
  { from, state }: VerifyTreeOptions,
  logs: readonly Checkpoint[],
): (Required<Pick<LogState, 'generation'>> & LogState) | undefined {
  const { generation = 1, minute } = state ?? {};
  const isBehind = minute !== undefined && Date.parse(minute) >= from.getTime();
  const isKnown = logs.some((log) => log.generation === generation);
  return state && !isBehind && isKnown ? { ...state, generation } : undefined;
}

type ReadLogs = {
  /** Those of the range. */
  minutes: FoundMinute[];
  state: LogState;
  finding?: LogFinding;
};

/** Reads the logs one after the other, from where the state is. Their minutes never go back. */
async function readLogs(options: VerifyTreeOptions, logs: readonly Checkpoint[]): Promise<ReadLogs> {
  const known = usable(options, logs);
  const minutes: FoundMinute[] = [];
  let state: LogState = known ?? { size: 0, peaks: [] };
  for (const [position, log] of logs.entries()) {
    if (known && log.generation < known.generation) continue;
    const tree = known?.generation === log.generation ? treeOf(known) : treeAfter(logs[position - 1]);
    const read = await readMinutes(options, log, tree, state.minute);
    minutes.push(...read.minutes.map((minute) => ({ ...minute, generation: log.generation })));
    state = stateOf(tree, read.last, log.generation);
    if (read.finding) return { minutes, state, finding: read.finding };
  }
  return { minutes, state };
}

function treeAfter(earlier: Checkpoint | undefined): Tree {
  const tree = new Tree();
  if (earlier) tree.add(firstLeaf(earlier));
  return tree;
}

const treeOf = ({ size, peaks }: LogState): Tree =>
  new Tree(
    size,
    peaks.map((peak) => Buffer.from(peak, 'base64')),
  );

const stateOf = (tree: Tree, minute: string | undefined, generation: number): LogState => ({
  size: tree.size,
  peaks: tree.peaks.map((peak) => Buffer.from(peak).toString('base64')),
  ...(minute !== undefined && { minute }),
  ...(generation > 1 && { generation }),
});

type ReadMinutes = {
  /** Those of the range. */
  minutes: LogMinute[];
  /** The last one in the trees. */
  last: string | undefined;
  finding?: LogFinding;
};

/**
 * Adds the minutes up to the checkpoint to the tree, whose root must be that of the checkpoint.
 *
 * @param known the last minute in the trees
 * @returns those of the range
 */
async function readMinutes(
  { exports, category, from, to, now = Date.now }: VerifyTreeOptions,
  { size, root, generation }: Checkpoint,
  tree: Tree,
  known: string | undefined,
): Promise<ReadMinutes> {
  const minutes: LogMinute[] = [];
  let last = known;
  const begin = known === undefined ? firstLog : Date.parse(known);
  const wrong = (detail: string): ReadMinutes => ({
    minutes,
    last,
    finding: { fault: 'wrong-root', detail },
  });
  for (let start = begin; start <= now() && tree.size < size; start += windowMs) {
    const window = { from: new Date(start), to: new Date(start + windowMs) };
    for (const minute of await exports.logMinutes(category, window, generation)) {
      // It is in the tree already.
      if (minute.minute === known) continue;
      if (tree.size === size) break;
      if (minute.leafIndex !== tree.size || (last !== undefined && minute.minute <= last))
        return wrong(`The log has no minute for leaf ${tree.size}.`);
      tree.add(minuteLeaf({ ...minute, root: Buffer.from(minute.root, 'base64') }));
      last = minute.minute;
      // A minute that is not in the tree could have any events.
      const time = Date.parse(minute.minute);
      if (time >= from.getTime() && time < to.getTime()) minutes.push(minute);
    }
  }
  if (tree.size === size && isSameHash(tree.root(), root)) return { minutes, last };
  return wrong('The minutes are not those of the checkpoint.');
}
