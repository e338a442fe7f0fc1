import type { Archive } from '../../events/archive-reader.ts';
import { acceptedIn, type EventIndexStore, type IndexItem } from '../../events/event-index-store.ts';
import { indexShards } from '../../events/event-keys.ts';
import type { CommittedEvent } from '../../events/event-stream.ts';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { chunksOf } from '../../kernel/chunks.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';
import type { BusyMinuteStore, MarkedMinute } from './busy-minute-store.ts';
import { isInLog } from './checkpoint-event.ts';
import { withLeaf } from './growing-tree.ts';
import { compareLeaves, hashOfMinute, leafOf } from './leaf.ts';
import { type ItemName, itemNameOf, leavesOfPage, type NewLeaf, pagesOf } from './leaf-page.ts';
import type { LeafStore } from './leaf-store.ts';
import type { LogHead } from './log-head.ts';
import { measureOpenMinute } from './log-metrics.ts';
import type { LogStore } from './log-store.ts';
import { rootOf } from './merkle-tree.ts';
import { beginOf, endOf, lastClosable, lateAfterMs, watchedForMs } from './minute.ts';
import { openLog, type CheckpointDeps } from './served-checkpoint.ts';

export type ClosingDeps = {
  busy: Pick<BusyMinuteStore, 'upTo' | 'remove'>;
  index: Pick<EventIndexStore, 'page'>;
  archive: Pick<Archive, 'read'>;
  logs: Pick<LogStore, 'minutes' | 'close'>;
  leaves: Pick<LeafStore, 'page' | 'keep' | 'keepLate'>;
  checkpoints: CheckpointDeps;
};

const logsAtOnce = 20;
const readsAtOnce = 4;
const itemsOfRead = 500;
const pagesAtOnce = 16;
/** More minutes than a stream keeps events. */
const mostMinutes = 2_000;

/**
 * Closes the busy minutes that are over. A fault of one log leaves the others alone, and its minutes are closed by the next
 * call.
 *
 * @param deadline when no further minute is begun, in milliseconds since 1970
 * @throws {Error} if minutes of a log could not be closed
 */
export async function closeMinutes(deps: ClosingDeps, now: number, deadline: number): Promise<void> {
  const marks = await deps.busy.upTo(lastClosable(now));
  const logs = [...Map.groupBy(marks, ({ ref }) => describeTarget(ref)).values()];
  const results = await mapConcurrent(
    logs,
    logsAtOnce,
    async (its) => await closeLog(deps, its, now, deadline),
  );
  const [oldest] = results.flatMap(({ open }) => open).sort();
  if (oldest !== undefined && now - endOf(oldest) > lateAfterMs) measureOpenMinute(now - endOf(oldest));
  if (results.some(({ isFailed }) => isFailed)) throw new Error('Minutes of logs were not closed.');
}

/** The minutes that are still open. */
type Result = { isFailed: boolean; open: readonly string[] };

async function closeLog(
  deps: ClosingDeps,
  marks: readonly MarkedMinute[],
  now: number,
  deadline: number,
): Promise<Result> {
  const minutes = marks.map(({ minute }) => minute);
  const ref = marks[0]?.ref;
  if (!ref) return { isFailed: false, open: [] };
  try {
    const open = await retryOnConflict(async () => await closeBusy(deps, ref, minutes, now, deadline));
    const isOver = ({ minute, markedAt }: MarkedMinute): boolean =>
      !open.has(minute) && now >= Math.max(endOf(minute), markedAt) + watchedForMs;
    await mapConcurrent(marks.filter(isOver), readsAtOnce, async (mark) => {
      await deps.busy.remove(mark);
    });
    return { isFailed: false, open: [...open] };
  } catch (error) {
    logger.error('minutes not closed', { ...ref, fault: describeFault(error) });
    return { isFailed: true, open: minutes };
  }
}

/** An event that is to be in the log, and the minute of its acceptance. */
type Waiting = NewLeaf & { minute: string };

/**
 * Closes minutes of one log, oldest first. Events of a minute that was closed before join the next batch.
 *
 * @param minutes those with events, oldest first
 * @returns the minutes whose events are not all in the log
 */
async function closeBusy(
  deps: ClosingDeps,
  ref: TargetRef,
  minutes: readonly string[],
  now: number,
  deadline: number,
): Promise<ReadonlySet<string>> {
  const last = lastClosable(now);
  let head = await openLog(deps.checkpoints, ref);
  const known = await itemsInLog(deps, head, minutes[0] ?? last);
  let waiting: Waiting[] = [];
  for (const [position, minute] of minutes.entries()) {
    if (Date.now() >= deadline) return new Set([...minutes.slice(position), ...minutesOf(waiting)]);
    const found = await leavesOf(deps, ref, minute, known);
    waiting.push(...found);
    if (found.length === 0 || isClosed(head, minute)) continue;
    const next = await closeOne(deps, head, minute, waiting, now);
    if (!next) return new Set(minutes);
    [head, waiting] = [next, []];
  }
  if (waiting.length === 0) return new Set();
  const isJoined = !isClosed(head, last) && (await closeOne(deps, head, last, waiting, now)) !== undefined;
  return isJoined ? new Set() : minutesOf(waiting);
}

const isClosed = (head: LogHead, minute: string): boolean =>
  head.minute !== undefined && minute <= head.minute;

const minutesOf = (leaves: readonly Waiting[]): Set<string> => new Set(leaves.map(({ minute }) => minute));

/** The items whose events are in the log already. A batch has no events that were accepted after its minute. */
async function itemsInLog(
  { logs, leaves }: ClosingDeps,
  { log, minute, earlier }: LogHead,
  first: string,
): Promise<ReadonlySet<ItemName>> {
  if (minute === undefined || minute < first) return new Set();
  const range = { first, end: `${minute}~` };
  const closed = await logs.minutes(log, range, mostMinutes);
  if (earlier?.minute !== undefined && first <= earlier.minute)
    closed.push(...(await logs.minutes({ ...log, generation: earlier.generation }, range, mostMinutes)));
  const pages = closed.flatMap((one) =>
    Array.from({ length: Math.ceil(one.count / leavesOfPage) }, (_, page) => ({ one, page })),
  );
  const names = await mapConcurrent(pages, pagesAtOnce, async ({ one, page }) => {
    return (await leaves.page(one, page))?.itemNames() ?? [];
  });
  return new Set(names.flat());
}

/** The events of a minute that are not in the log. */
async function leavesOf(
  deps: ClosingDeps,
  ref: TargetRef,
  minute: string,
  known: ReadonlySet<ItemName>,
): Promise<Waiting[]> {
  const shards = Array.from({ length: indexShards }, (_, shard) => shard);
  const items = await Promise.all(shards.map(async (shard) => await itemsOf(deps, ref, minute, shard)));
  const fresh = items.flat().filter((item) => !known.has(itemNameOf(item['sequence']?.S ?? '')));
  const read = await mapConcurrent(chunksOf(fresh, itemsOfRead), readsAtOnce, async (some) => {
    const { events, unreadable } = await deps.archive.read(some, ref);
    for (const reason of unreadable) logger.error('event not in the log', { ...ref, reason });
    return events.filter(({ type }) => isInLog(type)).map((event) => ({ ...toLeaf(event), minute }));
  });
  return read.flat();
}

const attributes = ['pk', 'sk', 'sequence', 'type', 'ids'];

async function itemsOf(
  { index }: ClosingDeps,
  ref: TargetRef,
  minute: string,
  shard: number,
): Promise<IndexItem[]> {
  const range = { ...ref, from: beginOf(minute), to: endOf(minute) };
  const found: IndexItem[] = [];
  let after: string | undefined;
  do {
    const { items, last } = await index.page(range, { shard, after }, { attributes });
    found.push(...items.filter((item) => acceptedIn(item).some(({ type }) => isInLog(type))));
    after = last;
  } while (after !== undefined);
  return found;
}

function toLeaf({ event, sequence }: CommittedEvent): NewLeaf {
  const { metadata } = JSON.parse(event) as { metadata: { eventId: string } };
  return { ...leafOf(event, metadata.eventId), item: itemNameOf(sequence) };
}

/** @returns nothing if another Lambda closed a minute meanwhile */
async function closeOne(
  { logs, leaves }: ClosingDeps,
  head: LogHead,
  minute: string,
  waiting: readonly Waiting[],
  now: number,
): Promise<LogHead | undefined> {
  const pages = pagesOf(waiting.toSorted(compareLeaves));
  const batch = { minute, count: waiting.length, root: rootOf(pages.map(({ root }) => root)) };
  const { tree, completed } = withLeaf(head.tree, hashOfMinute(batch));
  const earlier = [...minutesOf(waiting)].filter((one) => one !== minute);
  const [attempt] = await Promise.all([
    leaves.keep(head.log, minute, pages),
    leaves.keepLate(head.log, earlier, minute),
  ]);
  const isClosed = await logs.close({ head, minute: batch, tree, completed, attempt, now });
  return isClosed ? { ...head, tree, minute } : undefined;
}
