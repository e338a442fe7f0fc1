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
import { replay } from './replay.ts';
import type { ReplayProgress, ReplayStore } from './replay-store.ts';
import { beginReplay, type ReplayStartDeps } from './start-replay.ts';

export type TenantReplayDeps = ReplayStartDeps & {
  limits: Pick<RequestLimitStore, 'count'>;
};

export type TenantReplayRequest = { tenantId: string; category: Category } & {
  from: number;
  to: number;
  types?: string[] | undefined;
  eventIds?: string[] | undefined;
};

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
  const { types, eventIds, ...range } = {
    ...request,
    from: Math.max(request.from, now - retention.event),
    to: Math.min(request.to, now),
  };
  requireSense(request, range.to, now);
  const target = await requireExport(deps.targets, request);
  await deps.limits.count(request, 'replays', now);
  return await beginReplay(
    deps,
    { ...range, ...(types && { types }), ...(eventIds && { eventIds }) },
    target,
    now,
  );
}

function requireSense({ category, from, types = [] }: TenantReplayRequest, to: number, now: number): void {
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

/** What the service changed of the range that was asked for: it keeps events for 14 days, and replays no future. */
export const clampedView = (
  asked: Pick<TenantReplayRequest, 'from' | 'to'>,
  { from, to }: Pick<ReplayProgress, 'from' | 'to'>,
) => ({
  ...(asked.from !== from && { requestedFrom: rfc3339(asked.from) }),
  ...(asked.to !== to && { requestedTo: rfc3339(asked.to) }),
});

/** A replay as its tenant sees it. */
export const replayView = ({
  replayId,
  category,
  state,
  from,
  to,
  types,
  eventIds,
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
  eventsSent,
  cursorHour: `${cursorHour}:00:00Z`,
  ...(reason !== undefined && { reason }),
});
