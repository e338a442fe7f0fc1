import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { describeTarget, type TargetRef } from './target-ref.ts';
import { targetOf } from './event-keys.ts';

/** An event as it is stored. Several, with commas between them, count as one. */
export type StoredEvent = {
  /** Events with the same key stay in order. */
  orderingKey: string;
  /** JSON, which is never parsed again. */
  event: string;
};

/** A committed event on its way to its tenant. */
export type CommittedEvent = StoredEvent & {
  ref: TargetRef;
  type: string;
  /** Order of acceptance within the ordering key, as sortable text. */
  sequence: string;
  /** The stream's name for the record: where a batch is to begin again if this event could not go on. */
  checkpoint: string;
  /** When it was written, in milliseconds since 1970; the stream knows whole seconds. */
  writtenAt: number;
  /** Only the service's own events have it: milliseconds since the aggregate's event before it. */
  took?: number;
};

/** An item of the events table that cannot be read as events. */
export type UnreadableItem = { checkpoint: string; reason: string; record: DynamoDBRecord };

type Image = Record<string, AttributeValue>;

/** An item that only reserves the id of an event, which is in another item. */
const isPlaceholder = ({ digest }: Image): boolean => digest !== undefined;

/** The rest was checked when the event was recorded. A cut text would make the events packed around it unreadable. */
const isObject = (json: string): boolean => json.startsWith('{') && json.endsWith('}');

const unreadable = (record: DynamoDBRecord, reason: string): UnreadableItem => ({
  checkpoint: record.dynamodb?.SequenceNumber ?? '',
  reason,
  record,
});

/**
 * The events of a stream record. Only what delivery needs is read: an event stays text. Its ordering key is the partition
 * key, which stands for the tenant's aggregate or, for log events, for the agent.
 */
export function readStreamRecord(record: DynamoDBRecord): CommittedEvent[] | UnreadableItem {
  const image = record.dynamodb?.NewImage ?? {};
  if (isPlaceholder(image)) return [];
  const [orderingKey, sequence] = [image['pk']?.S, image['sequence']?.S];
  if (orderingKey === undefined || !sequence) return unreadable(record, 'pk or sequence is missing');
  const ref = targetOf(orderingKey);
  if (!ref) return unreadable(record, 'pk names no target');
  const checkpoint = record.dynamodb?.SequenceNumber ?? '';
  const writtenAt = (record.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;
  const took = image['took']?.N;
  const read: CommittedEvent[] = [];
  // Events that were accepted together and keep an order are in one item. A single event has no list around it.
  for (const entry of image['events']?.L ?? [{ M: image }]) {
    const [type, event] = [entry.M?.['type']?.S, entry.M?.['event']?.S];
    if (!type || !event || !isObject(event)) return unreadable(record, 'an event or its type is missing');
    const committed = { ref, orderingKey, event, type, sequence, checkpoint, writtenAt };
    read.push(took === undefined ? committed : { ...committed, took: Number(took) });
  }
  return read.length > 0 ? read : unreadable(record, 'events is empty');
}

export const isUnreadable = (read: CommittedEvent[] | UnreadableItem): read is UnreadableItem =>
  'reason' in read;

/** Events of one target, in the order of the stream. */
export type TargetEvents = { ref: TargetRef; events: CommittedEvent[] };

export type GroupedEvents = { groups: TargetEvents[]; unreadable: UnreadableItem[] };

/** The events of a batch by target. */
export function groupByTarget(records: readonly DynamoDBRecord[]): GroupedEvents {
  const byName = new Map<string, TargetEvents>();
  // Most events of a target share the object that names it. To find it is quicker than to build its name.
  const byRef = new Map<TargetRef, TargetEvents>();
  const groupOf = (ref: TargetRef): TargetEvents => {
    const group = byName.get(describeTarget(ref)) ?? { ref, events: [] };
    byName.set(describeTarget(ref), group);
    byRef.set(ref, group);
    return group;
  };
  const unreadable: UnreadableItem[] = [];
  for (const record of records) {
    // Only new items have new events: others are removed after their time.
    const read = record.eventName === 'INSERT' ? readStreamRecord(record) : [];
    if (isUnreadable(read)) unreadable.push(read);
    else for (const event of read) (byRef.get(event.ref) ?? groupOf(event.ref)).events.push(event);
  }
  return { groups: [...byName.values()], unreadable };
}

function areKeysInOrder(events: readonly CommittedEvent[]): boolean {
  const latest = new Map<string, string>();
  for (const { orderingKey, sequence } of events) {
    const before = latest.get(orderingKey);
    if (before !== undefined && before > sequence) return false;
    latest.set(orderingKey, sequence);
  }
  return true;
}

const compare = (a: CommittedEvent, b: CommittedEvent): number =>
  a.sequence < b.sequence ? -1 : Number(a.sequence > b.sequence);

/**
 * Events with the same ordering key in order of acceptance. A stream shows the items of one transaction in any order
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html). Mostly the order is right
 * already, and then nothing is sorted.
 */
export const sortBySequence = (events: readonly CommittedEvent[]): readonly CommittedEvent[] =>
  areKeysInOrder(events) ? events : events.toSorted(compare);
