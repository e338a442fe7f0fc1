/** What a tenant's services recorded in a test, and what has to arrive of it. */
import { randomUUID } from 'node:crypto';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import type { WebsiteClient } from '../../../client/website-client.ts';
import { createdEvent, logEvent, type TestEvent } from '../events/event.ts';
import { record } from '../events/recorder.ts';
import { succeeded } from '../expectations.ts';
import { patiently } from '../faults/patience.ts';

/** Ids of events by what keeps them in order, an aggregate or an agent; each in the order of acceptance. */
export type Recorded = ReadonlyMap<string, readonly string[]>;

/** Whose events, and of which category. */
export type Source = { website: WebsiteClient; tenantId: string; category: TargetRef['category'] };

export const newKeys = (count: number): string[] =>
  Array.from({ length: count }, () => `user-${randomUUID()}`);

export const idsOf = (recorded: Recorded): string[] => [...recorded.values()].flat();

/** All of them, one after the other. */
export function joined(...all: Recorded[]): Recorded {
  const keys = new Set(all.flatMap((one) => [...one.keys()]));
  return new Map([...keys].map((key) => [key, all.flatMap((one) => one.get(key) ?? [])]));
}

/** An event of each key in each call: calls that follow one another, as a busy service makes them. */
export async function recordRounds(
  source: Source,
  keys: readonly string[],
  rounds: number,
): Promise<Recorded> {
  const ids = new Map(keys.map((key): [string, string[]] => [key, []]));
  for (let round = 0; round < rounds; round += 1) {
    const events = keys.map((key) => eventOf(source, key));
    await recordAll(source, events);
    events.forEach(({ metadata }, index) => ids.get(keys[index] ?? '')?.push(metadata.eventId));
  }
  return ids;
}

/** Again where a busy machine turned it away: the same call is accepted once. */
async function recordAll({ website }: Source, events: readonly TestEvent[]): Promise<void> {
  succeeded(await patiently(async () => await record(website, events)), 202);
}

export const eventOf = ({ tenantId, category }: Source, key: string): TestEvent =>
  category === 'public'
    ? createdEvent(tenantId, { aggregateId: key })
    : logEvent(tenantId, undefined, { agent: key });
