import type { Target } from '../../core/export/targets/target.ts';
import { isPlace } from '../../core/export/kinds/records.ts';
import { describeDestination } from '../../core/export/kinds/descriptions.ts';
import { describeTargetStatus, type TargetStatus } from '../../core/export/targets/target-status.ts';
import { rfc3339, seconds } from '../../core/kernel/time.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { profileStoreOf } from '../tenants/profile-store.ts';
import type { Session } from '../session.ts';
import { fields } from '../text-table.ts';
import { type Acknowledged, acknowledgedText } from './acknowledgements.ts';

/** What a target's record does not have. A tenant without a profile has no name. */
export type Known = { tenantName?: string | undefined; acknowledged?: Acknowledged | undefined };

/** A target as JSON. */
export const targetView = (target: Target, now: number, { tenantName, acknowledged }: Known) => ({
  tenantId: target.tenantId,
  ...(tenantName !== undefined && { tenantName }),
  category: target.category,
  destination: target.destination,
  ...(target.types && { types: target.types }),
  ...(target.state === 'paused' && { pausedBy: target.pausedBy ?? 'operator' }),
  ...describeTargetStatus(target, now),
  ...(acknowledged && { acknowledged }),
  ...(isRotating(target) && { secrets: target.webhookSecrets?.length }),
});

/** A webhook has two secrets: somebody began to replace one. */
export const isRotating = ({ webhookSecrets = [] }: Target): boolean => webhookSecrets.length > 1;

const describeRotation = (target: Target): string | undefined =>
  isRotating(target)
    ? `two since ${rfc3339(target.webhookSecrets?.[0]?.createdAt ?? 0)}: the rotation is half done. End it: omi target rotate ${target.tenantId} ${target.category} --finish, or --cancel`
    : undefined;

export const describeTargets = (
  targets: readonly Target[],
  now: number,
  knownOf: (target: Target) => Known,
): string =>
  targets.length === 0
    ? 'No targets.'
    : targets.map((target) => describeTarget(target, now, knownOf(target))).join('\n\n');

/** An id with the name that people know. */
export const named = (tenantId: string, name: string | undefined): string =>
  name === undefined ? tenantId : `${tenantId} (${name})`;

export function describeTarget(target: Target, now: number, { tenantName, acknowledged }: Known): string {
  const status = describeTargetStatus(target, now);
  return fields({
    tenant: named(target.tenantId, tenantName),
    category: target.category,
    ...describeDestination(target.destination),
    'only types': target.types?.join(', '),
    state: `${status.state} since ${status.since}`,
    reason: status.reason,
    'paused by': target.state === 'paused' ? (target.pausedBy ?? 'operator') : undefined,
    'action required by': status.actor,
    acknowledged: acknowledged && acknowledgedText(acknowledged),
    secrets: describeRotation(target),
    warning: status.warning,
    'last test': describeTest(status),
    events: describeCounts(status),
    'given up': describeGivenUp(target, status),
  });
}

export async function printTarget(session: Session, deployment: Deployment, target: Target): Promise<void> {
  const [now, known] = [Date.now(), { tenantName: await nameOf(deployment, target) }];
  session.print(targetView(target, now, known), describeTarget(target, now, known));
}

/** Missing if the tenant has no profile. */
export const nameOf = async (
  deployment: Deployment,
  { tenantId }: Pick<Target, 'tenantId'>,
): Promise<string | undefined> => (await profileStoreOf(deployment).find(tenantId))?.name;

function describeTest({ lastTest }: TargetStatus): string | undefined {
  if (!lastTest) return undefined;
  const { event, outcome, requestedAt, endedAt, code, nextAt } = lastTest;
  const began = endedAt === undefined ? `${outcome} since ${requestedAt}` : `${outcome} at ${endedAt}`;
  const why = code === undefined ? '' : ` (${code})`;
  const sent = event ? ` with a ${event.type}, ${event.eventId}` : '';
  return `${began}${why}${sent}${nextAt === undefined ? '' : `, the next one is at ${nextAt}`}`;
}

/** With the command that brings them back. */
function describeGivenUp(
  { tenantId, category, destination }: Target,
  { givenUp }: TargetStatus,
): string | undefined {
  if (!givenUp) return undefined;
  const lines = givenUp.losses.map(
    ({ from, to, events, eventIds = [], reason }) =>
      `${events ?? 'some'} events accepted from ${from} to ${to}: ${[reason, ...eventIds].join(' ')}`,
  );
  const what = isPlace(destination)
    ? `Bring them back: omi replay ${tenantId} ${category} --given-up`
    : `No replay is possible without a destination. End the report: omi target dismiss ${tenantId} ${category}`;
  return [...lines, what].join(' ');
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
