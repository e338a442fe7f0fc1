import {
  acceptedAttributes,
  acceptedIn,
  type EventIndexStore,
  sequenceOf,
} from '../../events/event-index-store.ts';
import { indexShards } from '../../events/event-keys.ts';
import type { Category } from '../../events/target-ref.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { retention } from '../../kernel/retention.ts';
import { hours, minutes, seconds } from '../../kernel/time.ts';
import { requireExport } from '../targets/steer-target.ts';
import type { Target } from '../targets/target.ts';
import type { TenantReplayDeps } from './replay-by-tenant.ts';
import type { ReplayProgress } from './replay-store.ts';
import { beginReplay } from './start-replay.ts';

export type SendAgainDeps = TenantReplayDeps & { index: Pick<EventIndexStore, 'page'> };

export type SendAgainRequest = { tenantId: string; category: Category; eventId: string };

/**
 * A tenant has one event of its export sent again, as a replay of its own.
 *
 * @throws {Refusal} `event-not-found`: the export has no such event, or it is older than 14 days
 */
export async function sendAgain(
  deps: SendAgainDeps,
  { eventId, ...ref }: SendAgainRequest,
  now: number,
): Promise<ReplayProgress> {
  const target = await requireExport(deps.targets, ref);
  await deps.limits.count(ref, 'sends', now);
  const id = eventId.toLowerCase();
  const range = await rangeOf(deps.index, target, id, now);
  if (!range)
    throw new Refusal('event-not-found', 'The export has had no event with this id in the last 14 days.');
  const request = { ...ref, ...range, eventIds: [id] };
  // Another Lambda's clock may be ahead.
  return await beginReplay(deps, request, target, Math.max(now, range.to));
}

type Range = { from: number; to: number };

/** Milliseconds of age. Most events are looked for soon after their acceptance. */
const ages = [-1 * minutes, 1 * hours, 24 * hours, retention.event];

/** Far below the time limit of the Lambda. */
const searchMs = 6 * seconds;

/**
 * When an event was accepted, by the index. What could not be looked through in time is left to the replay, which has all the time
 * that it needs.
 */
async function rangeOf(
  index: Pick<EventIndexStore, 'page'>,
  target: Target,
  id: string,
  now: number,
): Promise<Range | undefined> {
  const deadline = Date.now() + searchMs;
  for (const [position, age] of ages.slice(1).entries()) {
    const range = { from: now - age, to: now - (ages[position] ?? 0) };
    const found = await Promise.all(
      Array.from(
        { length: indexShards },
        async (_, shard) => await search(index, target, { ...range, shard, id, deadline }),
      ),
    );
    const at = found.find((one) => typeof one === 'number');
    if (at !== undefined) return { from: at, to: at + 1 };
    if (found.includes('out of time')) return { from: now - retention.event, to: Math.min(range.to, now) };
  }
  return undefined;
}

type Search = Range & { shard: number; id: string; deadline: number };

async function search(
  index: Pick<EventIndexStore, 'page'>,
  { tenantId, category, types }: Target,
  { from, to, shard, id, deadline }: Search,
): Promise<number | 'out of time' | undefined> {
  let after: string | undefined;
  do {
    if (Date.now() > deadline) return 'out of time';
    const range = { tenantId, category, from, to };
    const { items, last } = await index.page(range, { shard, after }, { attributes: acceptedAttributes });
    const item = items.find((one) =>
      acceptedIn(one).some(
        ({ eventId, type }) => eventId.toLowerCase() === id && (types?.includes(type) ?? true),
      ),
    );
    if (item) return Number.parseInt(sequenceOf(item), 10);
    after = last;
  } while (after !== undefined);
  return undefined;
}
