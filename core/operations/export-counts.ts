import { setTimeout } from 'node:timers/promises';
import type { Counts } from '../adapters/parked-places.ts';
import type { TargetRef } from '../domain/target.ts';
import { describeFault, logger } from '../observability.ts';
import type { DeliveryDeps } from './deliver-to-target.ts';
import { inParallel } from './in-parallel.ts';

/** What is not in the target's record yet. */
export type Uncounted = { ref: TargetRef; counts: Counts };

/** Milliseconds. The counts are for people: they may be lost, and nothing waits long for them. */
const timeForAll = 2_000;

async function write({ places }: DeliveryDeps, { ref, counts }: Uncounted): Promise<void> {
  try {
    await places.counted(ref, counts);
  } catch (error) {
    logger.warn('not counted', { ...ref, fault: describeFault(error) });
  }
}

/** Writes counts into the targets' records. It never fails. */
export async function countDelivered(
  deps: DeliveryDeps,
  uncounted: readonly Uncounted[],
  atOnce: number,
): Promise<void> {
  if (uncounted.length === 0) return;
  const timer = new AbortController();
  const isOver = setTimeout(timeForAll, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([inParallel(uncounted, atOnce, async (one) => await write(deps, one)), isOver]);
  timer.abort();
}
