import * as v from 'valibot';
import type { Category, TargetRef } from '../../events/target-ref.ts';
import { isKnownType } from '../../events/public-types.ts';
import {
  invalidField,
  Refusal,
  refusalOf as refusalOfFaults,
  type FieldFault,
} from '../../kernel/refusal.ts';
import { retention } from '../../kernel/retention.ts';
import { hours, rfc3339 } from '../../kernel/time.ts';
import type { RequestLimitStore } from '../targets/request-limit-store.ts';
import { requireExport } from '../targets/steer-target.ts';
import { replayOfGivenUp } from './given-up-replay.ts';
import { replay } from './replay.ts';
import type { ReplayProgress, ReplayStore } from './replay-store.ts';
import { beginReplay, type ReplayStartDeps } from './start-replay.ts';

export type TenantReplayDeps = ReplayStartDeps & {
  limits: Pick<RequestLimitStore, 'count'>;
};

type RangeRequest = {
  from: number;
  to: number;
  types?: string[] | undefined;
  eventIds?: string[] | undefined;
};

/** A range of acceptance, or what the target gave up. */
export type TenantReplayRequest = { tenantId: string; category: Category } & (
  | RangeRequest
  | { givenUp: true }
);

/**
 * A tenant has events of its own export sent again. An end in the future means now.
 *
 * @throws {Refusal}
 */
export async function replayByTenant(
  deps: TenantReplayDeps,
  request: TenantReplayRequest,
  now: number,
): Promise<ReplayProgress> {
  const { tenantId, category } = request;
  const range = 'givenUp' in request ? undefined : rangeOf(category, request, now);
  const target = await requireExport(deps.targets, request);
  const replay = range ?? replayOfGivenUp(target);
  if (!replay) throw invalidField('/givenUp', 'expected events that were given up, and there are none');
  await deps.limits.count(request, 'replays', now);
  return await beginReplay(deps, { tenantId, category, ...replay }, target, now);
}

function rangeOf(category: Category, { types, eventIds, ...asked }: RangeRequest, now: number) {
  const from = Math.max(asked.from, now - retention.event);
  const to = Math.min(asked.to, now);
  requireSense({ category, from: asked.from, types }, to, now);
  return { from, to, ...(types && { types }), ...(eventIds && { eventIds }) };
}

type Sensible = { category: Category; from: number; types: string[] | undefined };

function requireSense({ category, from, types = [] }: Sensible, to: number, now: number): void {
  if (from >= to) throw invalidField('/to', 'expected a time after from, and a from in the past');
  if (to <= now - retention.event)
    throw invalidField(
      '/to',
      `expected a time in the last ${retention.event / (24 * hours)} days: older events are not stored`,
    );
  const faults = types.flatMap((type, index): FieldFault[] =>
    isKnownType(category, type)
      ? []
      : [{ pointer: `/types/${index}`, detail: 'expected a type of public events' }],
  );
  const refusal = refusalOfFaults(faults);
  if (refusal) throw refusal;
}

type Ref = TargetRef & Pick<ReplayProgress, 'replayId'>;

/** @throws {Refusal} `replay-not-found`: it is another tenant's, of another category, or does not exist */
export async function requireReplay(
  replays: Pick<ReplayStore, 'find'>,
  { tenantId, category, replayId }: Ref,
): Promise<ReplayProgress> {
  const progress = v.is(replay.entries.replayId, replayId)
    ? await replays.find({ tenantId, replayId })
    : undefined;
  if (progress?.category === category) return progress;
  throw new Refusal('replay-not-found', 'There is no such replay of this export.');
}

/** Whether the service changed the range that was asked for: it keeps events for 14 days, and replays no future. */
export const clampedView = (
  asked: { from: number; to: number } | { givenUp: true },
  { from, to }: Pick<ReplayProgress, 'from' | 'to'>,
) => ('from' in asked && (asked.from !== from || asked.to !== to) ? { clamped: true } : {});

/** A replay as its tenant sees it. */
export const replayView = ({
  replayId,
  category,
  state,
  from,
  to,
  types,
  eventIds,
  givenUp,
  eventsSent,
  cursorHour,
  reason,
}: ReplayProgress) => ({
  replayId,
  category,
  state,
  from: rfc3339(from),
  to: rfc3339(to),
  ...(types && { types }),
  ...(eventIds && { eventIds }),
  ...(givenUp && { count: givenUp.count ?? null }),
  eventsSent,
  cursorHour: `${cursorHour}:00:00Z`,
  ...(reason !== undefined && { reason }),
});
