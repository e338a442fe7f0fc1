import { setTimeout } from 'node:timers/promises';
import type { Counts } from './lane-watermark-store.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import type { DeliveryDeps } from './deliver-to-target.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';

/** What is not in the target's record yet. */
export type Uncounted = { ref: TargetRef; counts: Counts };

/** Milliseconds. The counts are for people: they may be lost, and nothing waits long for them. */
const timeForAll = 2_000;

async function write({ watermarks }: DeliveryDeps, { ref, counts }: Uncounted): Promise<void> {
  try {
    await watermarks.counted(ref, counts);
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
  await Promise.race([mapConcurrent(uncounted, atOnce, async (one) => await write(deps, one)), isOver]);
  timer.abort();
}
