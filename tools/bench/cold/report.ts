import { budgetOf } from '../../bundling/budget.ts';
import { routes } from '../../../lambdas/routes.ts';
import { describeMachine, formatTable } from '../report/markdown.ts';
import type { Measurement } from './measure.ts';

/** A user waits for the cold start of these Lambdas. */
export const apiLambdas: ReadonlySet<string> = new Set(['authorize', ...routes.map(({ lambda }) => lambda)]);

/** The ratios are to the control. The goals in time are for Lambdas for which a user waits. */
export const goals = { milliseconds: 45, bytesRatio: 0.5, timeRatio: 0.5 };

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

const rowOf = ({ lambda, ours, control, default: usual }: Measurement): Record<string, string> => ({
  Lambda: lambda,
  KB: kilobytes(ours.bytes),
  ms: ours.milliseconds.toFixed(1),
  'KB, control': kilobytes(control.bytes),
  'ms, control': control.milliseconds.toFixed(1),
  'KB, ratio': (ours.bytes / control.bytes).toFixed(2),
  'ms, ratio': (ours.milliseconds / control.milliseconds).toFixed(2),
  'KB, default': kilobytes(usual.bytes),
  'ms, default': usual.milliseconds.toFixed(1),
});

export type Judged = Measurement & {
  /** Paths of the modules in our bundle. */
  modules: readonly string[];
};

/** The goals that a Lambda misses, in words. */
export function missesOf({ lambda, ours, control, modules }: Judged): string[] {
  const isApi = apiLambdas.has(lambda);
  const budget = budgetOf(modules, isApi);
  return [
    ...(ours.bytes > budget ? [`${kilobytes(ours.bytes)} KB of ${kilobytes(budget)}`] : []),
    ...(isApi && ours.milliseconds > goals.milliseconds
      ? [`${ours.milliseconds.toFixed(1)} ms of ${goals.milliseconds}`]
      : []),
    ...(ours.bytes > control.bytes * goals.bytesRatio ? ['too large beside the control'] : []),
    ...(isApi && ours.milliseconds > control.milliseconds * goals.timeRatio
      ? ['too slow beside the control']
      : []),
  ].map((miss) => `${lambda}: ${miss}`);
}

const legend = `A kilobyte has 1,000 bytes. The milliseconds are from the start of a process until the handler can be called, minus those of an
empty handler (CommonJS). Each start is a new process, one at a time; our bundle, the two others and the empty handler take turns.

- control: the bundle of the CDK's \`NodejsFunction\` with \`minify\` and \`bundleAwsSDK\`, which is comparable to ours;
- default: its bundle without settings, not minified, which loads the AWS SDK from separate files.`;

/** Markdown for the terminal and for docs/performance.md. */
export function render(measurements: readonly Judged[], runs: number): string {
  const misses = measurements.flatMap(missesOf);
  const { milliseconds, bytesRatio, timeRatio } = goals;
  const figures = `a bundle within its budget and at most ${bytesRatio} times the control; for Lambdas of the API at most ${milliseconds} ms and ${timeRatio} times the control`;
  return [
    `${describeMachine()}. Medians of ${runs} runs.`,
    legend,
    formatTable(measurements.map(rowOf)),
    misses.length === 0
      ? `**All goals are reached**: ${figures}.`
      : `**Missed goals** (${figures}): ${misses.join('; ')}.`,
  ].join('\n\n');
}
