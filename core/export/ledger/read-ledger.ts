import type { TargetRef } from '../../events/target-ref.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { seconds } from '../../kernel/time.ts';
import { countHours, type CountDeps } from './count-hours.ts';
import { HourCount, type LedgerHour } from './hour-count.ts';
import { hoursOf } from './hour.ts';
import type { LedgerStore } from './ledger-store.ts';

export type LedgerDeps = CountDeps & { ledger: Pick<LedgerStore, 'find' | 'keep'> };

/** Milliseconds since 1970: from `from` on and before `to`. */
export type LedgerRange = { from: number; to: number };

/** API Gateway waits for 30 seconds. What was counted by then must be kept before. */
const timeToCount = 20 * seconds;

/**
 * The hours of a range with the sums of all events that were accepted in them, oldest first. Hours whose events are no longer
 * stored are left out.
 *
 * @throws {Refusal} `temporarily-unavailable` if counting is not finished. The next call continues where this one stopped.
 */
export async function readLedger(
  deps: LedgerDeps,
  target: TargetRef,
  range: LedgerRange,
  now: number,
  deadline = now + timeToCount,
): Promise<LedgerHour[]> {
  const hours = hoursOf(range, now);
  const [first, last] = [hours[0], hours.at(-1)];
  if (first === undefined || last === undefined) return [];
  const kept = await deps.ledger.find(target, first, last);
  const counts = hours.map((hour) => new HourCount(hour, now, kept.get(hour)));
  const open = counts.filter((count) => !count.isComplete());
  try {
    await countHours(deps, target, open, deadline);
  } finally {
    // Also after a fault: a busy index must not make the next call begin again.
    const toKeep = open.map((count) => count.toKeep()).filter((hour) => hour !== undefined);
    await deps.ledger.keep(target, toKeep);
  }
  if (counts.every((count) => count.isComplete())) return counts.map((count) => count.toLedgerHour());
  throw new Refusal('temporarily-unavailable', 'Counting is not finished. Repeat the call.', {
    retryAfter: 1,
  });
}
