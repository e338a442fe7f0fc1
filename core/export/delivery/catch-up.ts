import { setTimeout } from 'node:timers/promises';
import { isFree, isNearlyDrained, type Target } from '../targets/target.ts';
import { describeTarget } from '../../events/target-ref.ts';
import type { DeliveryDeps } from './deliver-to-target.ts';

/** Milliseconds from one look to the next. */
const look = 50;

/** Whether it is worth a wait that the redelivery of what waits ends, so that new events need not queue behind it. */
export const isCatchingUp = ({ catchUps }: DeliveryDeps, target: Target): boolean =>
  isNearlyDrained(target, Date.now()) && catchUps.mayTry(target, Date.now());

/**
 * Waits for the redelivery while nothing new is put behind what it has left. Without this a target that always gets events
 * would never be rid of its queue: the last of what waits is followed by more.
 *
 * @returns the targets as they are then, in their order
 */
export async function awaitCatchUp(
  { targets, catchUps }: DeliveryDeps,
  waiting: readonly Target[],
  longest: number,
): Promise<Target[]> {
  const end = Date.now() + longest;
  let seen = [...waiting];
  while (!seen.every(isFree) && Date.now() < end) {
    await setTimeout(look);
    const found = await targets.load(seen);
    seen = seen.map((target) => found.targets.get(describeTarget(target)) ?? target);
  }
  for (const target of seen) if (!isFree(target)) catchUps.failed(target, Date.now());
  return seen;
}
