import * as v from 'valibot';
import type { Item } from '../../aws/dynamodb-client.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { emptyTree, type GrowingTree } from './growing-tree.ts';
import type { LogName } from './log-keys.ts';
import { hashesIn } from './merkle-tree.ts';

/** The checkpoint that was signed last. */
export type SignedCheckpoint = { size: number; text: string };

/** What is known of a log before anything else is read of it. */
export type LogHead = {
  log: LogName;
  tree: GrowingTree;
  /** The last minute that was closed, in this log or the earlier one. */
  minute?: string | undefined;
  signed?: SignedCheckpoint | undefined;
  /** The last hour in which the log has grown. */
  hour?: string | undefined;
  /** The log whose last checkpoint is the first leaf of this one, and its last minute. */
  earlier?: { generation: number; minute?: string | undefined } | undefined;
  /** A restore has ended this log: the next call that needs it begins the log of this generation. */
  next?: number | undefined;
};

const headItem = v.object({
  generation: v.number(),
  size: v.number(),
  peaks: v.instance(Uint8Array),
  minute: v.optional(v.string()),
  hour: v.optional(v.string()),
  signed: v.optional(v.object({ size: v.number(), text: v.string() })),
  earlier: v.optional(v.object({ generation: v.number(), minute: v.optional(v.string()) })),
  next: v.optional(v.number()),
});

/** A log without minutes needs no item. */
export function readHead(ref: TargetRef, item: Item | undefined): LogHead {
  if (!item) return { log: { ...ref, generation: 1 }, tree: emptyTree };
  const { generation, size, peaks, ...rest } = v.parse(headItem, item);
  return { log: { ...ref, generation }, tree: { size, peaks: hashesIn(peaks) }, ...rest };
}

/** The attributes of a head that it has. */
export const headAttributes = ({ log, tree, ...rest }: LogHead): Item => ({
  generation: log.generation,
  size: tree.size,
  peaks: Buffer.concat(tree.peaks),
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
});
