import type { Target } from '../../core/export/targets/target.ts';
import { describeDestination } from '../../core/export/kinds/descriptions.ts';
import { describeTargetStatus, type TargetStatus } from '../../core/export/targets/target-status.ts';
import { seconds } from '../../core/kernel/time.ts';
import type { Session } from '../session.ts';
import { fields } from '../text-table.ts';

/** A target as JSON. */
export const targetView = (target: Target, now: number) => ({
  tenantId: target.tenantId,
  category: target.category,
  destination: target.destination,
  ...(target.types && { types: target.types }),
  ...(target.state === 'paused' && { pausedBy: target.pausedBy ?? 'operator' }),
  ...describeTargetStatus(target, now),
});

export const describeTargets = (targets: readonly Target[], now: number): string =>
  targets.length === 0 ? 'No targets.' : targets.map((target) => describeTarget(target, now)).join('\n\n');

export function describeTarget(target: Target, now: number): string {
  const status = describeTargetStatus(target, now);
  return fields({
    tenant: target.tenantId,
    category: target.category,
    ...describeDestination(target.destination),
    'only types': target.types?.join(', '),
    state: `${status.state} since ${status.since}`,
    reason: status.reason,
    'paused by': target.state === 'paused' ? (target.pausedBy ?? 'operator') : undefined,
    'action required by': status.actor,
    warning: status.warning,
    'last test': describeTest(status),
    events: describeCounts(status),
    'given up': describeGivenUp(target, status),
  });
}

export function printTarget(session: Session, target: Target): void {
  const now = Date.now();
  session.print(targetView(target, now), describeTarget(target, now));
}

function describeTest({ lastTest }: TargetStatus): string | undefined {
  if (!lastTest) return undefined;
  const { outcome, requestedAt, endedAt, code, nextAt } = lastTest;
  const began = endedAt === undefined ? `${outcome} since ${requestedAt}` : `${outcome} at ${endedAt}`;
  const why = code === undefined ? '' : ` (${code})`;
  return `${began}${why}${nextAt === undefined ? '' : `, the next one is at ${nextAt}`}`;
}

/** With the command that brings them back. */
function describeGivenUp({ tenantId, category }: Target, { givenUp = [] }: TargetStatus): string | undefined {
  if (givenUp.length === 0) return undefined;
  const lines = givenUp.map(
    ({ from, to, events, reason }) => `${events ?? 'some'} events accepted from ${from} to ${to}: ${reason}`,
  );
  return [...lines, `Bring them back: omi replay ${tenantId} ${category} --given-up`].join(' ');
}

const describeCounts = ({
  accepted,
  delivered,
  inBucket,
  parked,
  replayed,
  oldestWaitingMs,
}: TargetStatus): string => {
  const age =
    oldestWaitingMs === undefined ? '' : `, the oldest for ${Math.round(oldestWaitingMs / seconds)} s`;
  const again = replayed === undefined ? '' : `, ${replayed} replayed`;
  const taken = inBucket === undefined ? 'delivered' : `handed over to Firehose, ${inBucket} in the bucket`;
  return `${accepted} accepted, ${delivered} ${taken}, ${parked} waiting${age}${again}`;
};
