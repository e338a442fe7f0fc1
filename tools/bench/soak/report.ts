import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { median } from '../report/statistics.ts';
import type { Disturbance } from './disturb.ts';
import { isSound, type Result, type TargetResult } from './soak.ts';

const targetRow = ({ kind, accepted, lost, inversions, duplicates }: TargetResult) => ({
  target: kind,
  'events accepted': formatNumber(accepted),
  lost: formatNumber(lost),
  inversions: inversions === undefined ? '–' : formatNumber(inversions),
  duplicates: `${formatNumber(duplicates)} (${((100 * duplicates) / Math.max(1, accepted)).toFixed(2)} %)`,
});

const inSeconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);

function faultRow([name, its]: [string, Disturbance[]]): Record<string, string> {
  const recoveries = its.flatMap(({ recovery }) => recovery ?? []);
  const isComplete = recoveries.length === its.length;
  return {
    fault: name,
    times: String(its.length),
    's until recovered, median': recoveries.length > 0 ? inSeconds(median(recoveries)) : 'never',
    longest: isComplete ? inSeconds(Math.max(...recoveries)) : 'never',
  };
}

export function render(result: Result): string {
  const { plan, seconds, repeated, targets, faults } = result;
  const byName = [...Map.groupBy(faults, ({ name }) => name)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    `${describeMachine()}. Seed ${plan.seed}: ${formatNumber(plan.events)} events, at most ${formatNumber(plan.rate)} a second; ${formatNumber(plan.events / seconds.recording)} a second were recorded. Everything had arrived ${formatNumber(seconds.settling)} s after the last of them was accepted. Calls of the API that failed and were made again: ${formatNumber(repeated)}.`,
    formatTable(targets.map(targetRow)),
    ...(byName.length > 0 ? [formatTable(byName.map(faultRow))] : []),
    isSound(result)
      ? 'No event was lost, none came out of order, and every target recovered.'
      : 'Events were lost or came out of order, or a target did not recover.',
  ].join('\n\n');
}
