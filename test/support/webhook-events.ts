import type { Receiver } from './receiver.ts';

type Body = { events?: { metadata: { key: string; n: number; eventId: string } }[] };

/** The events of each call, in the order of the calls. */
export const callsOf = ({ calls }: Receiver): { key: string; n: number }[][] =>
  calls.map(({ text }) =>
    ((JSON.parse(text) as Body).events ?? []).map(({ metadata: { key, n } }) => ({ key, n })),
  );

/** The events without duplicates, by key, in the order in which they came first. */
export function numbersByKey(receiver: Receiver): Map<string, number[]> {
  const byKey = Map.groupBy(callsOf(receiver).flat(), ({ key }) => key);
  return new Map([...byKey].map(([key, its]) => [key, [...new Set(its.map(({ n }) => n))]]));
}

/** The ids of the events, in the order of the calls, with duplicates. */
export const eventIdsOf = ({ calls }: Receiver): string[] =>
  calls.flatMap(({ text }) =>
    ((JSON.parse(text) as Body).events ?? []).map(({ metadata: { eventId } }) => eventId),
  );
