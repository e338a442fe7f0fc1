import { budgetOf } from '../../bundling/budget.ts';
import { describeMachine } from '../report/machine.ts';
import { formatTable } from '../report/table.ts';
import { apiLambdas } from './api-lambdas.ts';
import type { Measurement } from './measure.ts';

/** What the service holds itself to, in time where a user waits; the sizes are in `bundling/budget.ts`. */
export const goals = { milliseconds: 45, bytesRatio: 0.4, timeRatio: 0.5 };

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

const rowOf = ({ lambda, lean, control, default: usual }: Measurement): Record<string, string> => ({
  Lambda: lambda,
  KB: kilobytes(lean.bytes),
  ms: lean.milliseconds.toFixed(1),
  'KB, control': kilobytes(control.bytes),
  'ms, control': control.milliseconds.toFixed(1),
  'KB, ratio': (lean.bytes / control.bytes).toFixed(2),
  'ms, ratio': (lean.milliseconds / control.milliseconds).toFixed(2),
  'KB, default': kilobytes(usual.bytes),
  'ms, default': usual.milliseconds.toFixed(1),
});

export type Judged = Measurement & {
  /** What went into the lean bundle. */
  modules: readonly string[];
};

/** What a Lambda misses, in words. */
export function missesOf({ lambda, lean, control, modules }: Judged): string[] {
  const isApi = apiLambdas.has(lambda);
  const budget = budgetOf(modules, isApi);
  return [
    ...(lean.bytes > budget ? [`${kilobytes(lean.bytes)} KB of ${kilobytes(budget)}`] : []),
    ...(isApi && lean.milliseconds > goals.milliseconds
      ? [`${lean.milliseconds.toFixed(1)} ms of ${goals.milliseconds}`]
      : []),
    ...(lean.bytes > control.bytes * goals.bytesRatio ? ['its share of the control in KB'] : []),
    ...(isApi && lean.milliseconds > control.milliseconds * goals.timeRatio
      ? ['its share of the control in ms']
      : []),
  ].map((miss) => `${lambda}: ${miss}`);
}

const legend = `Kilobytes of 1,000 bytes. Milliseconds from the start of a process until the handler can be called, above those of an empty
handler (CommonJS); each time in a fresh process, one process at a time, our bundle, the controls and the empty handler in turns.

- control: what the CDK's \`NodejsFunction\` makes of the same handler with \`minify\` and \`bundleAwsSDK\`, which is the like of ours;
- default: what it makes with nothing set: not minified, without the AWS SDK, which comes from files beside it.`;

/** Markdown for the terminal and for the document. */
export function render(measurements: readonly Judged[], runs: number): string {
  const misses = measurements.flatMap(missesOf);
  const { milliseconds, bytesRatio, timeRatio } = goals;
  const figures = `bundles within their budgets and at most ${bytesRatio} times the control; where a user waits at most ${milliseconds} ms and ${timeRatio} times the control's time`;
  return [
    `${describeMachine()}. Medians of ${runs} runs.`,
    legend,
    formatTable(measurements.map(rowOf)),
    misses.length === 0
      ? `**All figures are reached**: ${figures}.`
      : `**Figures that are not reached** (${figures}): ${misses.join('; ')}.`,
  ].join('\n\n');
}
