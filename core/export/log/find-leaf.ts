import type { LeafPage } from './leaf-page.ts';
import type { LeafStore } from './leaf-store.ts';
import type { LogName } from './log-keys.ts';
import type { ClosedMinute, LogStore } from './log-store.ts';
import { minuteOf } from './minute.ts';

export type FindingDeps = {
  logs: Pick<LogStore, 'minute'>;
  leaves: Pick<LeafStore, 'lateBatches' | 'directory' | 'page'>;
};

/** What is looked for: when the event was accepted, its id, and its position in a page. */
export type Wanted = {
  sequence: string;
  eventId: string;
  positionIn: (leaves: LeafPage) => number | undefined;
  /** The ids of the pages do not lead to it. */
  isAnywhere?: boolean;
};

/** A leaf in a page of the batch of its minute. */
export type FoundLeaf = {
  minute: ClosedMinute;
  page: number;
  position: number;
  leaves: LeafPage;
  /** The roots of the minute's pages. */
  roots: readonly Buffer[];
};

/** An event is in the batch of its minute, or in one that is known to have events of this minute. */
export async function findLeaf(
  deps: FindingDeps,
  log: LogName,
  wanted: Wanted,
): Promise<FoundLeaf | undefined> {
  const own = minuteOf(Number.parseInt(wanted.sequence, 10));
  const found = await findIn(deps, log, own, wanted);
  if (found) return found;
  for (const later of await deps.leaves.lateBatches(log, own)) {
    const late = await findIn(deps, log, later, wanted);
    if (late) return late;
  }
  return undefined;
}

async function findIn(
  { logs, leaves: lists }: FindingDeps,
  log: LogName,
  name: string,
  { eventId, positionIn, isAnywhere = false }: Wanted,
): Promise<FoundLeaf | undefined> {
  const minute = await logs.minute(log, name);
  const directory = minute && (await lists.directory(minute));
  if (!directory) return undefined;
  const { firsts } = directory;
  for (const page of isAnywhere ? firsts.keys() : pagesWith(firsts, eventId.toLowerCase())) {
    const leaves = await lists.page(minute, page);
    const position = leaves && positionIn(leaves);
    if (leaves && position !== undefined) return { minute, page, position, leaves, roots: directory.roots };
  }
  return undefined;
}

/** The pages that may have an id. Events of several aggregates may have the same one, over the end of a page. */
const pagesWith = (firsts: readonly string[], id: string): number[] =>
  [...firsts.keys()].filter((page) => (firsts[page] ?? '') <= id && (firsts[page + 1] ?? id) >= id);
