import { isTest, type Event } from '../event.ts';
import { probableAcceptance } from '../exports/copy.ts';
import type { EventName, LogLeaf, LogMinute } from '../exports/types.ts';
import type { LogFinding } from './log-error.ts';
import { isSameHash, Tree } from './merkle.ts';
import { digestOf, leafOf } from './verify-inclusion.ts';

/** An event of a copy. Its text is not kept: a day has many. */
export type CopiedEvent = EventName & {
  /** SHA-256 of its text, in hexadecimal. */
  digest: string;
  /** When it was probably accepted, in milliseconds since 1970. */
  at: number;
  /** A minute of the log has it. */
  isFound: boolean;
};

/** A tenant's copy of a category. */
export type LogCopy = {
  /** By id in lower case: events of several aggregates may have the same one. */
  byId: Map<string, CopiedEvent[]>;
  /** Those in the copy's events of the log itself. */
  checkpoints: string[];
  /** Hashes of the log's leaves of which nothing else is left. */
  erased: Set<string>;
};

type Wanted = { category: string; tenantId: string };

/** Reads a copy once. An event that came several times counts once. */
export async function readCopy(
  texts: AsyncIterable<string> | Iterable<string>,
  { category, tenantId }: Wanted,
): Promise<LogCopy> {
  const copy: LogCopy = { byId: new Map(), checkpoints: [], erased: new Set() };
  for await (const text of texts) {
    const event = JSON.parse(text) as Event;
    const { metadata, payload } = event;
    // The log knows nothing of tests.
    if (isTest(event) || metadata.tenantId.toLowerCase() !== tenantId.toLowerCase()) continue;
    const checkpoint = checkpointIn(metadata.type, payload, category);
    if (checkpoint !== undefined) copy.checkpoints.push(checkpoint);
    if (metadata.category !== category || metadata.type === checkpointType) continue;
    const { eventId, aggregateId, agent } = metadata;
    const digest = digestOf(text);
    const same = copy.byId.get(eventId.toLowerCase()) ?? [];
    if (same.some((one) => one.digest === digest)) continue;
    const at = probableAcceptance(event);
    same.push({ eventId, aggregateId, agent, digest, at, isFound: false });
    copy.byId.set(eventId.toLowerCase(), same);
  }
  return copy;
}

const checkpointType = 'CheckpointEvent';

/** The log has no such events: they tell its state. */
function checkpointIn(type: string, payload: unknown, wanted: string): string | undefined {
  if (type !== checkpointType) return undefined;
  const { category, checkpoint } = (payload ?? {}) as { category?: unknown; checkpoint?: unknown };
  return category === wanted && typeof checkpoint === 'string' ? checkpoint : undefined;
}

/**
 * Compares the events of a minute with a copy.
 *
 * @param isFiltered the copy has only some types, and the log does not tell which event has which
 */
export async function compareMinute(
  leaves: AsyncIterable<LogLeaf>,
  minute: LogMinute,
  copy: LogCopy,
  isFiltered: boolean,
): Promise<LogFinding[]> {
  const findings: LogFinding[] = [];
  const tree = new Tree();
  for await (const leaf of leaves) {
    if ('hash' in leaf) {
      tree.add(Buffer.from(leaf.hash, 'base64'));
      copy.erased.add(leaf.hash);
      continue;
    }
    tree.add(leafOf(leaf.eventId, leaf.digest));
    const finding = compareLeaf(leaf, copy, isFiltered);
    if (finding) findings.push({ ...finding, minute: minute.minute });
  }
  if (tree.size !== minute.count || !isSameHash(tree.root(), Buffer.from(minute.root, 'base64')))
    findings.push({
      fault: 'wrong-root',
      detail: 'The events are not those of the minute.',
      minute: minute.minute,
    });
  return findings;
}

function compareLeaf(
  { eventId, digest }: { eventId: string; digest: string },
  { byId }: LogCopy,
  isFiltered: boolean,
): LogFinding | undefined {
  const same = byId.get(eventId.toLowerCase()) ?? [];
  const found = same.find((one) => one.digest === digest) ?? same.find(({ isFound }) => !isFound);
  if (found) found.isFound = true;
  if (found?.digest === digest) return undefined;
  if (found)
    return { fault: 'edited', detail: 'The service accepted this event with other content.', eventId };
  if (isFiltered) return undefined;
  return { fault: 'removed', detail: 'The copy lacks an event that the service accepted.', eventId };
}

/**
 * Finds the events of leaves without ids, when all minutes are read.
 *
 * @returns how many are not in the copy either
 */
export function compareErased({ byId, erased }: LogCopy): number {
  if (erased.size === 0) return 0;
  const rest = new Set(erased);
  for (const event of [...byId.values()].flat()) {
    const hash = Buffer.from(leafOf(event.eventId, event.digest)).toString('base64');
    if (rest.delete(hash)) event.isFound = true;
  }
  return rest.size;
}
