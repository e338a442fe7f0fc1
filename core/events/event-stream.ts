import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { TargetRef } from './target-ref.ts';
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
  /** Of the service's own: milliseconds since the aggregate's event before it. */
  took?: number;
};

/** An item of the events table that tells no event. */
export type UnreadableItem = { checkpoint: string; reason: string; record: DynamoDBRecord };

type Image = Record<string, AttributeValue>;

/** Keeps the id taken of an event that is in another item. */
const isPlaceholder = ({ digest }: Image): boolean => digest !== undefined;

/** Whatever is between them was checked when it was recorded; a torn text would spoil those around it. */
const isObject = (json: string): boolean => json.startsWith('{') && json.endsWith('}');

const unreadable = (record: DynamoDBRecord, reason: string): UnreadableItem => ({
  checkpoint: record.dynamodb?.SequenceNumber ?? '',
  reason,
  record,
});

/**
 * The events of a stream record. Only what delivery needs is read: an event stays the text that it is, and what
 * orders it is the partition key, which stands for the tenant's aggregate, or for the agent of log events.
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
  // Events that were accepted together and keep an order are in one item; one that was alone is the item's own.
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
