import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { median, percentile } from '../report/statistics.ts';
import { type Plan, type Round, type Scene, scenes, slowDelay, waveTime } from './measure.ts';

/** The p99 may grow by less than a tenth. */
const goal = 1.1;
/** Rounds of the same kind that differ by more than this factor do not tell what the receivers change. */
const mostSpread = 1.5;

export type Figures = {
  rounds: readonly Round[];
  plan: Plan;
  /** When it was measured. */
  at: Date;
  /** Programs that wanted a core then, on average over a minute: more than there are cores make all times longer. */
  load: number;
};

const labels: Record<Scene, string> = {
  alone: 'alone',
  besides: 'with a dead one and a slow one besides',
};

const p99 = (times: readonly number[]): number => percentile(times, 0.99);

const method = ({ receivers }: Plan): string =>
  `The local stack, the users and the receivers run on this machine. Each receiver has a client and a server of its own, and gets a call-back every ${formatNumber(waveTime / 1000)} seconds or a little less often. ` +
  `The ${receivers} healthy ones answer at once. The dead one takes each call and never answers, and the slow one answers after ${formatNumber(slowDelay / 1000)} seconds; both answered at once until their round began. ` +
  'The rounds of both kinds take turns. The time is that from the answer of the user, as the service recorded it, to the first call of the healthy receiver.';

/** How far rounds of the same kind are apart, as a factor. */
const spreadOf = (rounds: readonly number[][]): number =>
  Math.max(...rounds.map(p99)) / Math.min(...rounds.map(p99));

function verdict(alone: number[][], besides: number[][]): string {
  const ratio = p99(besides.flat()) / p99(alone.flat());
  const spread = Math.max(spreadOf(alone), spreadOf(besides));
  const found = `The p99 with the two others is ${ratio.toFixed(2)} of the p99 alone. Rounds of the same kind are apart by a factor of up to ${spread.toFixed(2)}.`;
  if (spread > mostSpread)
    return `${found} That is too far to tell whether the goal, less than ${goal.toFixed(2)}, is met: repeat it on a machine that has nothing else to do.`;
  return `${found} The goal, less than ${goal.toFixed(2)}, is ${ratio < goal ? 'met' : 'missed'}.`;
}

const losses =
  'No call-back was lost: the dead receiver and the slow one got all of theirs once they had recovered.';

/** Markdown for the terminal and for docs/performance.md. */
export function render({ rounds, plan, at, load }: Figures): string {
  const timesOf = (scene: Scene): number[][] =>
    rounds.filter((round) => round.scene === scene).map(({ times }) => times);
  const rows = scenes.map((scene) => {
    const times = timesOf(scene);
    const all = times.flat();
    return {
      [`${plan.receivers} healthy receivers, milliseconds`]: labels[scene],
      'call-backs': formatNumber(all.length),
      p50: median(all).toFixed(0),
      p99: p99(all).toFixed(0),
      'p99 of each round': times.map((round) => p99(round).toFixed(0)).join(', '),
    };
  });
  return [
    `${describeMachine()}. ${at.toISOString().slice(0, 10)}. Load average ${formatNumber(load)}.`,
    method(plan),
    formatTable(rows),
    `${verdict(timesOf('alone'), timesOf('besides'))} ${losses}`,
  ].join('\n\n');
}
