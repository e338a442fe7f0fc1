import { logger } from '../kernel/observability.ts';
import { mapConcurrent } from '../kernel/map-concurrent.ts';
import { minutes } from '../kernel/time.ts';
import { longestDelayMs, type ExpiryQueue } from './expiry-queue.ts';
import type { Partition, WaitingExpiryStore } from './waiting-expiry-store.ts';

export type DueDeps = { waiting: WaitingExpiryStore; queue: ExpiryQueue };

/** `oldest` is the earliest expiry that was found, in milliseconds since 1970. */
export type Queued = { queued: number; failed: number; oldest?: number };

/** Partitions at the same time. */
const concurrency = 4;

/** A partition gets no expiry after its end, because those wait for at least the longest delay. The rest is for slow writers. */
const keptAfterEnd = 5 * minutes;

/**
 * Sends every expiry that is due within the longest delay of SQS to the queue, which delays it exactly. The schedule
 * calls this three times in that time, so one call may fail. An expiry may be queued twice, but it is recorded once.
 */
export async function queueDueExpiries(deps: DueDeps, now: number, endsAt: number): Promise<Queued> {
  const partitions = await deps.waiting.partitionsUntil(now + longestDelayMs);
  const outcomes = await mapConcurrent(partitions, concurrency, async (partition) =>
    Date.now() < endsAt ? await queuePartition(deps, partition, now, endsAt) : none,
  );
  return outcomes.reduce(sum, none);
}

const none: Queued = { queued: 0, failed: 0 };

const sum = (a: Queued, b: Queued): Queued => {
  const oldest = Math.min(a.oldest ?? Infinity, b.oldest ?? Infinity);
  return {
    queued: a.queued + b.queued,
    failed: a.failed + b.failed,
    ...(oldest !== Infinity && { oldest }),
  };
};

async function queuePartition(
  { waiting, queue }: DueDeps,
  partition: Partition,
  now: number,
  endsAt: number,
): Promise<Queued> {
  let total = none;
  for await (const due of waiting.dueBy(now + longestDelayMs, partition)) {
    const { failed, reasons } = await queue.schedule(due);
    if (failed.length > 0) logger.error('not queued', { failed: failed.length, reasons });
    const left = new Set(failed);
    const queued = due.filter((expiry) => !left.has(expiry));
    await waiting.remove(queued);
    const [first] = due;
    total = sum(total, {
      queued: queued.length,
      failed: failed.length,
      ...(first && { oldest: first.expiresAt }),
    });
    if (Date.now() >= endsAt) return total;
  }
  if (total.failed === 0 && partition.endsAt + keptAfterEnd <= now) await waiting.removePartition(partition);
  return total;
}
