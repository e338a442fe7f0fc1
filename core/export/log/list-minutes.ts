import { invalidField, Refusal } from '../../kernel/refusal.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { leavesOfPage, type StoredLeaf } from './leaf-page.ts';
import type { LeafStore } from './leaf-store.ts';
import type { LogHead } from './log-head.ts';
import type { LogStore } from './log-store.ts';
import { minuteOf } from './minute.ts';
import { minutes } from '../../kernel/time.ts';

export type ListDeps = {
  logs: Pick<LogStore, 'minute'>;
  leaves: Pick<LeafStore, 'page'>;
};

/** Minutes of 17 days, in 4 MB of JSON. Lambda answers with 6 MB at most. */
const mostMinutes = 25_000;
/** Pages of leaves in an answer: less than 1 MB of JSON. */
const pagesOfAnswer = 8;

export type MinuteView = { minute: string; count: number; root: string; leafIndex: number };

/**
 * The minutes of a range that have events, oldest first.
 *
 * @param range milliseconds since 1970, without the end
 * @throws {Refusal} `invalid-request` if they are too many
 */
export async function listMinutes(
  { logs }: { logs: Pick<LogStore, 'minutes'> },
  { log }: Pick<LogHead, 'log'>,
  { from, to }: { from: number; to: number },
): Promise<MinuteView[]> {
  const range = { first: firstFrom(from), end: firstFrom(to) };
  const found = await logs.minutes(log, range, mostMinutes + 1);
  if (found.length > mostMinutes)
    throw invalidField('#/query/to', `expected a shorter range: it has more than ${mostMinutes} minutes`);
  return found.map(({ minute, count, root, leafIndex }) => {
    return { minute, count, root: Buffer.from(root).toString('base64'), leafIndex };
  });
}

/** The first minute that begins at a time or after it. */
const firstFrom = (time: number): string => minuteOf(Math.ceil(time / minutes) * minutes);

export type LeavesView = {
  leaves: string[];
  /** Positions in the minute's tree, and hashes of leaves, of events that were erased. */
  erased?: { leafIndex: number; hash: string }[];
  cursor?: string;
};

/**
 * The leaves of a minute in their order.
 *
 * @param page where to begin
 * @throws {Refusal} `not-in-log` if there is no such minute, or its leaves are no longer kept
 */
export async function listLeaves(
  { logs, leaves }: ListDeps,
  { log }: Pick<LogHead, 'log'>,
  name: string,
  page: number,
): Promise<LeavesView> {
  const minute = await logs.minute(log, name);
  const count = Math.ceil((minute?.count ?? 0) / leavesOfPage);
  if (!minute || page >= count)
    throw new Refusal('not-in-log', 'The log has no such minute. Minutes without events are not in it.');
  const end = Math.min(page + pagesOfAnswer, count);
  const wanted = Array.from({ length: end - page }, (_, index) => page + index);
  const pages = await mapConcurrent(wanted, pagesOfAnswer, async (one) => await leaves.page(minute, one));
  if (pages.includes(undefined))
    throw new Refusal('not-in-log', 'The leaves of a minute are kept for 14 days.');
  const found = pages.flatMap((one) => one?.leaves() ?? []);
  const erased = found.flatMap((leaf, index) => erasedView(leaf, page * leavesOfPage + index));
  return {
    leaves: found.flatMap((leaf) =>
      'eventId' in leaf ? [`${leaf.eventId} ${leaf.digest.toString('hex')}`] : [],
    ),
    ...(erased.length > 0 && { erased }),
    ...(end < count && { cursor: String(end) }),
  };
}

const erasedView = (leaf: StoredLeaf, leafIndex: number) =>
  'eventId' in leaf ? [] : [{ leafIndex, hash: leaf.hash.toString('base64') }];
