import { shownState } from '../../core/export/targets/target-status.ts';
import { states, type Target } from '../../core/export/targets/target.ts';

const numbers = new Intl.NumberFormat('en-GB');

/** How many targets there are in each state, in a line. */
export function summarize(targets: readonly Target[], now: number): string {
  const byState = Map.groupBy(targets, (target) => shownState(target, now));
  const counts = states.flatMap((state) => {
    const count = byState.get(state)?.length;
    return count === undefined ? [] : [`${numbers.format(count)} ${state}`];
  });
  const all = `${numbers.format(targets.length)} ${targets.length === 1 ? 'target' : 'targets'}`;
  return counts.length === 0 ? `${all}.` : `${all}: ${counts.join(', ')}.`;
}
