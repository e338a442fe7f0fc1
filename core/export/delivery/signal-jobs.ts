import type { CommittedEvent, TargetEvents } from '../../events/event-stream.ts';
import { isSignal } from '../../events/signal-events.ts';
import { logger } from '../../kernel/observability.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import type { TargetStore } from '../targets/target-store.ts';
import type { Target } from '../targets/target.ts';

/** A target, and what it may get. */
export type Job = { target: Target; events: CommittedEvent[] };

/** As many as DynamoDB's client has connections. */
const readsAtOnce = 50;

/**
 * The streams of signals of the tenants whose events are signals, with these events. Most batches have none, and cost no
 * read.
 */
export async function signalJobs(
  targets: Pick<TargetStore, 'streamsOf'>,
  groups: readonly TargetEvents[],
): Promise<Job[]> {
  const signalling = groups
    .filter(({ ref }) => ref.category === 'public')
    .map(({ ref, events }) => ({ ref, events: events.filter(isSignal) }))
    .filter(({ events }) => events.length > 0);
  const jobs = await mapConcurrent(signalling, readsAtOnce, async ({ ref, events }) => {
    const { targets: streams, malformed } = await targets.streamsOf(ref.tenantId);
    if (malformed.size > 0) logger.error('malformed streams', { streams: [...malformed] });
    return [...streams.values()].map((target) => ({ target, events }));
  });
  return jobs.flat();
}
