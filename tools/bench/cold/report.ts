import { budgetOf } from '../../../bundling/budget.ts';
import { routes } from '../../../lambdas/routes.ts';
import { describeMachine, formatTable } from '../report.ts';
import type { Measurement } from './measure.ts';

/** A user waits for the cold start of these Lambdas. */
export const apiLambdas: ReadonlySet<string> = new Set([
  'authorize',
  'authorize-exports',
  ...routes.map(({ lambda }) => lambda),
]);

/** The ratios are to the control. Milliseconds of a machine that has nothing else to do, where a user waits. */
export const goals = { milliseconds: 45, bytesRatio: 0.5, timeRatio: 0.5 };

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

const rowOf = ({ lambda, ours, control }: Measurement): Record<string, string> => ({
  Lambda: apiLambdas.has(lambda) ? lambda : `${lambda} (background)`,
  KB: kilobytes(ours.bytes),
  'CPU ms': ours.cpu.toFixed(1),
  'KB, control': kilobytes(control.bytes),
  'CPU ms, control': control.cpu.toFixed(1),
  'KB, ratio': (ours.bytes / control.bytes).toFixed(2),
  'CPU, ratio': (ours.cpu / control.cpu).toFixed(2),
  'wall, ratio': (ours.wall / control.wall).toFixed(2),
});

/** The goals that a Lambda misses, in words. */
function missesOf({ lambda, ours, control, modules }: Measurement): string[] {
  const isApi = apiLambdas.has(lambda);
  const budget = budgetOf(modules, isApi);
  // Without the AWS SDK there is nothing that the usual bundle has and ours lacks.
  const isCompared = modules.some((path) => path.includes('/@aws-sdk/client-'));
  const misses: [boolean, string][] = [
    [ours.bytes > budget, `${kilobytes(ours.bytes)} KB of ${kilobytes(budget)}`],
    [isApi && ours.cpu > goals.milliseconds, `${ours.cpu.toFixed(1)} ms of ${goals.milliseconds}`],
    [isCompared && ours.bytes > control.bytes * goals.bytesRatio, 'too large beside the control'],
    [isApi && isCompared && ours.cpu > control.cpu * goals.timeRatio, 'too slow beside the control'],
  ];
  return misses.flatMap(([isMissed, miss]) => (isMissed ? [`${lambda}: ${miss}`] : []));
}

/** Markdown for the terminal and for docs/performance.md. */
export function render(measurements: readonly Measurement[], runs: number): string {
  const misses = measurements.flatMap(missesOf);
  const { milliseconds, bytesRatio, timeRatio } = goals;
  const figures = `a bundle within its budget and at most ${bytesRatio} times the control; for Lambdas of the API at most ${milliseconds} ms and ${timeRatio} times the control`;
  return [
    `${describeMachine()}. Medians of ${runs} starts of each bundle.`,
    formatTable(measurements.map(rowOf)),
    misses.length === 0
      ? `**All goals are reached**: ${figures}.`
      : `**Missed goals** (${figures}): ${misses.join('; ')}.`,
  ].join('\n\n');
}
