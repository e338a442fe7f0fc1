import { randomBytes } from 'node:crypto';
import type { Event } from './event.ts';
import { sha256 } from '../kernel/identifiers.ts';
import { canonicalJson, parseJson } from '../kernel/json.ts';
import { retention } from '../kernel/retention.ts';
import type { Item, Write } from '../aws/dynamodb-client.ts';
import { type AcceptedBy, eventKey, partitionOf, sequenceAt, shardKey, shardOf } from './event-keys.ts';

/** Events that are accepted together, in this order. */
export type Acceptance = {
  tenantId: string;
  events: readonly Event[];
  /** Milliseconds since 1970. */
  acceptedAt: number;
  by: AcceptedBy;
  /** When the confirmation of these events expires. The event source of `schedule-expiry` filters by it. */
  expiresAt?: number | undefined;
  /** How the client is notified of the end of its confirmation. The same event source filters by it. */
  notify?: string | undefined;
  /** Milliseconds since the aggregate's previous event: for a confirmation, how long its user took. Only for metrics. */
  took?: number | undefined;
};

/** Bytes of events and their types in one item. The rest of DynamoDB's 400 KB is for keys and ids. */
const largestGroupBytes = 350 * 1024;

/** Equal for events with the same content. The order of members does not matter. */
export const digestOf = (event: Event): string => sha256(canonicalJson(event));

/** An event as an item has it: the JSON that is exported, and its type, so that nobody has to parse it. */
type Entry = { type: string; event: string };

/** The part of an item that has the content of its event. */
export type Content = Partial<Pick<Entry, 'event'>> & { events?: Pick<Entry, 'event'>[]; digest?: string };
export const contentPaths = 'event, events[0].event, digest';

/** {@link digestOf} of the recorded event. */
export function storedDigest({ event, events, digest = '' }: Content): string {
  const json = event ?? events?.[0]?.event;
  return json === undefined ? digest : digestOf(parseJson(json) as Event);
}

type Accepted = Entry & { source: Event; position: number };
type Group = [Accepted, ...Accepted[]];

/** Events of a partition, in their order, in as few groups as there have to be items for them. */
function groupsOf(accepted: Accepted[]): Group[] {
  const groups: Group[] = [];
  let free = 0;
  for (const one of accepted) {
    // The type is beside the event, and in the list of ids.
    const size = Buffer.byteLength(one.event) + 2 * Buffer.byteLength(one.type);
    free -= size;
    if (free >= 0) groups.at(-1)?.push(one);
    else {
      groups.push([one]);
      free = largestGroupBytes - size;
    }
  }
  return groups;
}

/**
 * The types and ids of a group's events, as the index has them. A single event whose id is its sort key needs none: the index
 * has both.
 */
function idsOf(group: Group, sortKey: string): string[] | undefined {
  const isPlain = group.length === 1 && group[0].source.metadata.eventId === sortKey;
  return isPlain ? undefined : group.map(({ type, source }) => `${type} ${source.metadata.eventId}`);
}

/** A single event has no list around it. */
function entriesOf([first, ...others]: Group): Entry | { events: Entry[] } {
  const entryOf = ({ type, event }: Accepted): Entry => ({ type, event });
  return others.length === 0 ? entryOf(first) : { events: [first, ...others].map(entryOf) };
}

/** The item of the first event has all of them. Each other event has an item that reserves its id, and names the carrier by its sequence. */
function itemsOf(group: Group, call: string, acceptance: Acceptance): Item[] {
  const { tenantId, acceptedAt, by, expiresAt, notify, took } = acceptance;
  const [{ source: first, position }, ...others] = group;
  const ttl = Math.ceil((acceptedAt + retention.event) / 1000);
  const key = eventKey(tenantId, first);
  const ids = idsOf(group, key.sk);
  const carrier = {
    ...key,
    shard: shardKey({ tenantId, category: first.metadata.category, by, shard: shardOf(key.pk) }),
    sequence: position === 0 ? call : `${call}-${String(position).padStart(3, '0')}`,
    ttl,
    ...entriesOf(group),
    ...(ids && { ids }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(notify !== undefined && { notify }),
    ...(took !== undefined && { took }),
  };
  const placeholders = others.map(({ source }) => ({
    ...eventKey(tenantId, source),
    digest: digestOf(source),
    carrier: carrier.sequence,
    ttl,
  }));
  return [carrier, ...placeholders];
}

/**
 * The writes of accepted events: one for each, so that 100 fit a transaction. A write fails if its id is known.
 *
 * A stream shows the items of a transaction in any order
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html). So events that keep an order
 * are in one item, under the id of the first event; the other items only reserve ids. `sequence` sorts as text: by time,
 * by call, by position in the call's array.
 *
 * DynamoDB bills a write by started KB, twice in a transaction, and once more for the index. An event of the service
 * itself has about 750 bytes, so what is beside it has to be short for the item to stay below 1,024, and a test holds it
 * to that. The events of a device are larger, by its receipt. So an item repeats nothing: the target is in `pk`, and `shard` may be a hash.
 * The digest of an event is computed when its id is sent again, which is rare. Only an id that is not the
 * sort key, or is in an item of several events, is stored twice, because the index needs it.
 */
export function eventWrites(table: string, acceptance: Acceptance): Write[] {
  const { tenantId, events, acceptedAt } = acceptance;
  const call = `${sequenceAt(acceptedAt)}-${randomBytes(4).toString('hex')}`;
  const accepted = events.map((source, position): Accepted => {
    return { source, position, type: source.metadata.type, event: JSON.stringify(source) };
  });
  const partitions = Map.groupBy(accepted, ({ source }) => partitionOf(tenantId, source.metadata));
  const groups = [...partitions.values()].flatMap(groupsOf);
  return groups
    .flatMap((group) => itemsOf(group, call, acceptance))
    .map((item) => ({
      Put: { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
    }));
}
