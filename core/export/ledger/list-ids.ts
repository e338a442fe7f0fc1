import { acceptedAttributes, acceptedIn } from '../../events/event-index-store.ts';
import { hourOf, indexShards } from '../../events/event-keys.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import type { CountDeps } from './count-hours.ts';
import { endOf, startOf } from './hour.ts';

/** The place behind the last id of a page. */
export type IdCursor = { shard: number; after?: string | undefined };

export type IdPage = { eventIds: string[]; cursor?: IdCursor };

/** About the most ids of a page: 1 MB of JSON. */
const idsOfPage = 25_000;

/** The ids of an hour's events, in no order that callers may rely on. */
export async function listIds(
  { index }: CountDeps,
  { hour, ...ref }: TargetRef & { hour: string },
  begin: IdCursor = { shard: 0 },
  most = idsOfPage,
): Promise<IdPage> {
  const range = { ...ref, from: startOf(hour), to: endOf(hour) };
  const eventIds: string[] = [];
  let cursor: IdCursor | undefined = begin;
  do {
    const options = { attributes: acceptedAttributes, limit: most - eventIds.length };
    const { items, last } = await index.page(range, cursor, options);
    for (const item of items) for (const { eventId } of acceptedIn(item)) eventIds.push(eventId);
    cursor = nextOf(cursor, last);
  } while (cursor && eventIds.length < most);
  return { eventIds, ...(cursor && { cursor }) };
}

function nextOf({ shard }: IdCursor, last: string | undefined): IdCursor | undefined {
  if (last !== undefined) return { shard, after: last };
  return shard + 1 < indexShards ? { shard: shard + 1 } : undefined;
}

/** Callers pass it back unchanged. */
export const cursorText = ({ shard, after = '' }: IdCursor): string => `${shard}.${after}`;

const cursorForm = /^(\d)\.(\d{13}-[\da-f-]{1,20})?$/;

/** @returns nothing if no page of this hour ends there */
export function readCursor(text: string, hour: string): IdCursor | undefined {
  const [, shard, after] = cursorForm.exec(text) ?? [];
  // DynamoDB refuses a range that begins behind its end.
  const isOfHour = after === undefined || hourOf(Number.parseInt(after, 10)) === hour;
  return isOfHour && Number(shard) < indexShards ? { shard: Number(shard), after } : undefined;
}
