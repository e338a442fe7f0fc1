import { setTimeout } from 'node:timers/promises';
import { isFree, isNearlyDrained, type Target } from '../targets/target.ts';
import { describeTarget } from '../../events/target-ref.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** Milliseconds between two reads of the targets. */
const intervalMs = 50;

/** True if the redelivery is about to catch up, so that new events need not wait behind the others in the queue. */
export const isCatchingUp = ({ catchUps }: DeliveryDeps, target: Target): boolean =>
  isNearlyDrained(target, Date.now()) && catchUps.mayTry(target, Date.now());

/**
 * Waits until the redelivery has caught up, and parks nothing meanwhile. Without this, the queue of a target that always
 * gets events would never become empty: new events would follow the last of those that wait.
 *
 * @param longest milliseconds
 * @returns the targets as they are then, in their order
 */
export async function awaitCatchUp(
  { targets, catchUps }: DeliveryDeps,
  waiting: readonly Target[],
  longest: number,
): Promise<Target[]> {
  const end = Date.now() + longest;
  let latest = [...waiting];
  while (!latest.every(isFree) && Date.now() < end) {
    await setTimeout(intervalMs);
    const found = await targets.load(latest);
    latest = latest.map((target) => found.targets.get(describeTarget(target)) ?? target);
  }
  for (const target of latest) if (!isFree(target)) catchUps.failed(target, Date.now());
  return latest;
}
