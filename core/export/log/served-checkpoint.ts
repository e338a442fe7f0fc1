import type { TargetRef } from '../../events/target-ref.ts';
import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';
import { type NamedLogKey, originOf, signedCheckpoint } from './checkpoint.ts';
import { findLog, noSuchLog } from './find-log.ts';
import { emptyTree, rootOfTree, withLeaf } from './growing-tree.ts';
import { hashOfCheckpoint } from './leaf.ts';
import type { LogHead, SignedCheckpoint } from './log-head.ts';
import type { LogStore } from './log-store.ts';

export type CheckpointDeps = {
  logs: Pick<LogStore, 'head' | 'endedHead' | 'keepSigned' | 'begin'>;
  key: NamedLogKey;
  baseUrl: string;
};

/** The log as it was read, with its checkpoint. */
export type ServedLog = { head: LogHead; signed: SignedCheckpoint };

/**
 * The checkpoint of the whole tree. It is signed when somebody asks for it, once for each size: a tree has at most one more leaf
 * each minute.
 */
export const servedCheckpoint = async (deps: CheckpointDeps, ref: TargetRef): Promise<ServedLog> =>
  await retryOnConflict(async () => {
    const served = await sign(deps, await deps.logs.head(ref));
    const { next } = served.head;
    return next === undefined ? served : await begin(deps, served, next);
  });

/**
 * The same of one generation. The last checkpoint of an ended log was signed when the next one began.
 *
 * @throws {Refusal} `not-in-log`
 */
export async function checkpointOf(
  deps: CheckpointDeps,
  ref: TargetRef,
  generation?: number,
): Promise<ServedLog> {
  const latest = await servedCheckpoint(deps, ref);
  if (generation === undefined || generation === latest.head.log.generation) return latest;
  const head = await findLog(deps.logs, ref, generation);
  if (!head.signed) throw noSuchLog(generation);
  return { head, signed: head.signed };
}

/** The log to which minutes are added. After a restore it begins with the last checkpoint of the log before. */
export async function openLog(deps: CheckpointDeps, ref: TargetRef): Promise<LogHead> {
  const head = await deps.logs.head(ref);
  return head.next === undefined ? head : (await servedCheckpoint(deps, ref)).head;
}

async function sign(deps: CheckpointDeps, head: LogHead): Promise<ServedLog> {
  const { log, tree, signed } = head;
  const origin = originOf(deps.baseUrl, log, log.generation);
  // After a change of the base URL the log has another name.
  if (signed?.size === tree.size && signed.text.startsWith(`${origin}\n`)) return { head, signed };
  return { head, signed: await deps.logs.keepSigned(head, await newCheckpoint(deps, head)) };
}

async function newCheckpoint(
  { baseUrl, key }: CheckpointDeps,
  { log, tree }: LogHead,
): Promise<SignedCheckpoint> {
  const origin = originOf(baseUrl, log, log.generation);
  const text = await signedCheckpoint({ origin, size: tree.size, root: rootOfTree(tree) }, key);
  return { size: tree.size, text };
}

/** Begins the log after a restore. Its first leaf is the last checkpoint of the log that the restore has ended. */
async function begin(deps: CheckpointDeps, ended: ServedLog, generation: number): Promise<ServedLog> {
  const { log, minute } = ended.head;
  const { tree } = withLeaf(emptyTree, hashOfCheckpoint(ended.signed.text));
  const earlier = { generation: log.generation, minute };
  const head: LogHead = { log: { ...log, generation }, tree, minute, earlier };
  const signed = await newCheckpoint(deps, head);
  await deps.logs.begin({ ...ended.head, signed: ended.signed }, { ...head, signed });
  return { head, signed };
}
