import { createHash, randomBytes } from 'node:crypto';
import type { Event } from '../domain/event.ts';
import { sha256 } from '../domain/identifiers.ts';
import { canonicalJson } from '../domain/json.ts';
import { retention } from '../domain/retention.ts';
import type { Item, Write } from './dynamodb.ts';

/** Events that are accepted together, in this order. */
export type Acceptance = {
  tenantId: string;
  events: readonly Event[];
  /** Milliseconds since 1970. */
  acceptedAt: number;
  /** When somebody has to look at what the events tell of. The event source of `schedule-expiry` filters by it. */
  expiresAt?: number | undefined;
  /** Milliseconds since the aggregate's previous event: for a confirmation, how long its user took. For metrics alone. */
  took?: number | undefined;
};

/** Bytes of events in one item; the rest of DynamoDB's 400 KB is for keys and types. */
const largestGroup = 350 * 1024;

/** One partition of an index takes 1,000 writes a second, however many the table takes. */
export const indexShards = 8;

/** What keeps an order: an aggregate, or an agent's log events. */
function partitionOf(tenantId: string, { metadata }: Event): string {
  return metadata.category === 'public'
    ? `${tenantId}#${metadata.aggregateId}`
    : `log#${tenantId}#${metadata.agent ?? metadata.eventId.toLowerCase()}`;
}

/** A UUID is the same in upper and in lower case (RFC 9562). */
export const eventKey = (tenantId: string, event: Event) => ({
  pk: partitionOf(tenantId, event),
  sk: event.metadata.eventId.toLowerCase(),
});

/** Tells whether two events with one id have the same content: as JSON values, whatever the order of their members. */
export const digestOf = (event: Event): string => sha256(canonicalJson(event));

/** The index's partition. All that share a partition of the table share the shard, and so keep their order. */
function hourOf(category: string, partition: string, { tenantId, acceptedAt }: Acceptance): string {
  const hour = new Date(acceptedAt).toISOString().slice(0, 13);
  const shard = createHash('sha256').update(partition).digest().readUInt8() % indexShards;
  return `${tenantId}#${category}#${hour}#${shard}`;
}

type Entry = { event: Event; position: number };

/** One item for each event of a partition; the first carries the events of those that follow, as far as they fit. */
function itemsOf(entries: Entry[], partition: string, call: string, acceptance: Acceptance): Item[] {
  const { tenantId, acceptedAt, expiresAt, took } = acceptance;
  let group: { type: string; event: string }[] = [];
  let free = 0;
  return entries.map(({ event, position }) => {
    const { type, category } = event.metadata;
    const taken = {
      ...eventKey(tenantId, event),
      digest: digestOf(event),
      ttl: Math.ceil((acceptedAt + retention.event) / 1000),
    };
    const json = JSON.stringify(event);
    const size = Buffer.byteLength(json);
    free -= size;
    if (free >= 0) {
      group.push({ type, event: json });
      return taken;
    }
    free = largestGroup - size;
    group = [{ type, event: json }];
    const sequence = `${call}-${String(position).padStart(3, '0')}`;
    return {
      ...taken,
      hour: hourOf(category, partition, acceptance),
      sequence,
      events: group,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(took !== undefined && { took }),
    };
  });
}

/**
 * The writes of accepted events: one for each, so that 100 fit a transaction. Each fails for an id that is known.
 *
 * A stream shows the items of a transaction in any order
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html). So what keeps an order
 * travels in one item, under the id of its first event; the other items only keep their ids taken. `sequence` sorts
 * as text: by the time, by the call, by the place in its array.
 */
export function eventWrites(table: string, acceptance: Acceptance): Write[] {
  const { tenantId, events, acceptedAt } = acceptance;
  const call = `${String(acceptedAt).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;
  const entries = events.map((event, position) => ({ event, position }));
  const partitions = Map.groupBy(entries, ({ event }) => partitionOf(tenantId, event));
  const items = [...partitions].flatMap(([partition, its]) => itemsOf(its, partition, call, acceptance));
  return items.map((item) => ({
    Put: { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
  }));
}
