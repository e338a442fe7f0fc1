/** The tenants' side of the export: waits until the events of a test have arrived. */
import { BucketReader, type ExportedObject, holdsEvents } from '../../../tools/local/client/bucket-reader.ts';
import { type ExportedEvent, linesOf, unwrap } from '../../../client/exported-events.ts';
import { type LocalAws, kinesisOf } from '../../../tools/local/client/reader-access.ts';
import { type ExportedRecord, StreamReader } from '../../../client/stream-reader.ts';
import { until } from '../../support/waiting.ts';
import type { TestEvent } from '../events/event.ts';

type Holder = { events: ExportedEvent[] };

/** Reads until every event is there; what holds none of them is left out. */
async function collect<Found extends Holder>(
  read: () => Promise<Found[]>,
  events: readonly TestEvent[],
): Promise<Found[]> {
  const wanted = new Set(events.map(({ metadata }) => metadata.eventId));
  const missing = new Set(wanted);
  const collected: Found[] = [];
  await until(async () => {
    for (const found of await read()) {
      const ids = found.events.map(({ metadata }) => metadata.eventId);
      if (ids.some((id) => wanted.has(id))) collected.push(found);
      for (const id of ids) missing.delete(id);
    }
    return missing.size === 0;
  }, `${wanted.size} events`);
  return collected;
}

export type ReadRecord = ExportedRecord & Holder;
export type ReadObject = ExportedObject & Holder & { lines: string[] };

/** The stream's records that hold these events, in order within each shard. */
export async function recordsOf(
  stack: LocalAws,
  streamName: string,
  events: readonly TestEvent[],
): Promise<ReadRecord[]> {
  const reader = await StreamReader.open(kinesisOf(stack), streamName);
  const read = async () =>
    (await reader.read()).map((record) => ({ ...record, events: unwrap(record.data) }));
  return await collect(read, events).finally(() => reader.close());
}

/** The bucket's objects that hold these events. */
export async function objectsOf(
  stack: LocalAws,
  bucket: string,
  events: readonly TestEvent[],
): Promise<ReadObject[]> {
  const reader = new BucketReader(stack, bucket);
  const read = async () =>
    (await reader.read()).filter(holdsEvents).map((object) => {
      const lines = linesOf(object.text);
      return { ...object, lines, events: lines.flatMap(unwrap) };
    });
  return await collect(read, events).finally(() => reader.close());
}

/** The service tells of the state of targets whenever a test has changed one. */
const isRecorded = ({ metadata }: ExportedEvent): boolean =>
  metadata.type !== 'ExportTargetStateChangedEvent';

/** What a consumer makes of it: each event once, the first time that it comes. */
export function eventsIn(holders: readonly Holder[]): ExportedEvent[] {
  const events = holders.flatMap((holder) => holder.events).filter(isRecorded);
  return [
    ...new Map(events.toReversed().map((event) => [event.metadata.eventId, event])).values(),
  ].toReversed();
}

/** Those of one aggregate, or of one agent. */
export const ofAggregate = (events: readonly ExportedEvent[], id: string): ExportedEvent[] =>
  events.filter(({ metadata }) => (metadata.aggregateId ?? metadata['agent']) === id);
