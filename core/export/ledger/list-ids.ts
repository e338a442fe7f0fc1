import { acceptedAttributes, acceptedIn } from '../../events/event-index-store.ts';
import { hourOf, indexShards } from '../../events/event-keys.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import type { CountDeps } from './count-hours.ts';
import { endOf, startOf } from './hour.ts';

/** The place behind the last id that was listed of a shard. */
export type ShardPlace = { shard: number; after?: string | undefined };

/** The places in all shards that have more ids. */
export type IdCursor = readonly ShardPlace[];

export type IdPage = { eventIds: string[]; cursor?: IdCursor };

/** About the most ids of a page: 1 MB of JSON. */
const idsOfPage = 25_000;

const everyShard: IdCursor = Array.from({ length: indexShards }, (_, shard) => ({ shard }));

/** The ids of an hour's events, in no order that callers may rely on. The shards are read at once. */
export async function listIds(
  { index }: CountDeps,
  { hour, ...ref }: TargetRef & { hour: string },
  begin: IdCursor = everyShard,
  most = idsOfPage,
): Promise<IdPage> {
  const range = { ...ref, from: startOf(hour), to: endOf(hour) };
  const options = { attributes: acceptedAttributes, limit: Math.ceil(most / begin.length) };
  const pages = await Promise.all(
    begin.map(async (place) => ({ place, page: await index.page(range, place, options) })),
  );
  const eventIds: string[] = [];
  const cursor: ShardPlace[] = [];
  for (const { place, page } of pages)
    if (eventIds.length >= most) {
      // An item may have the ids of a whole call. This shard is read again, so that the answer stays below Lambda's 6 MB.
      cursor.push(place);
    } else {
      for (const item of page.items) for (const { eventId } of acceptedIn(item)) eventIds.push(eventId);
      if (page.last !== undefined) cursor.push({ shard: place.shard, after: page.last });
    }
  return { eventIds, ...(cursor.length > 0 && { cursor }) };
}

/** Callers pass it back unchanged. */
export const cursorText = (cursor: IdCursor): string =>
  cursor.map(({ shard, after = '' }) => `${shard}.${after}`).join('_');

const placeForm = /^(\d)\.(\d{13}-[\da-f-]{1,20})?$/;

/** @returns nothing if no page of this hour ends there */
export function readCursor(text: string, hour: string): IdCursor | undefined {
  const places = text.split('_').map((place) => readPlace(place, hour));
  const known = places.filter((place) => place !== undefined);
  const shards = new Set(known.map(({ shard }) => shard));
  // More places than shards would be read at once, and one shard twice.
  return shards.size === places.length ? known : undefined;
}

function readPlace(text: string, hour: string): ShardPlace | undefined {
  const [, shard, after] = placeForm.exec(text) ?? [];
  // DynamoDB refuses a range that begins behind its end.
  const isOfHour = after === undefined || hourOf(Number.parseInt(after, 10)) === hour;
  return isOfHour && Number(shard) < indexShards ? { shard: Number(shard), after } : undefined;
}
