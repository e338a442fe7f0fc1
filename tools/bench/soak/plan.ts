import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { faultNames, faultsOf, type FaultName } from './faults.ts';
import { targetKinds, type TargetKind } from './target-kinds.ts';

export type Plan = {
  seed: number;
  events: number;
  /** The most events a second. */
  rate: number;
  targets: readonly TargetKind[];
  faults: readonly FaultName[];
  /** Seconds of a fault: half as long up to half as long again. */
  faultSeconds: number;
  /** Seconds after which targets that did not recover, or events that did not arrive, count as lost. */
  patience: number;
  /** The state folder of a running stack. Without it the soak starts one of its own. */
  stack?: string;
};

export type Run = { plan: Plan; json: boolean; write: boolean };

export const usage = `npm run soak -- [--events 1000000] [--rate 700] [--seed 1] [--targets …] [--faults …] …

Records events at a local stack, makes AWS and the receivers fail in turn, and reads what arrives in each target. Ends with
exit code 0 if no event was lost and none came out of order.

  --seed           chooses events, faults and their order (default 1)
  --events         how many are recorded, for all targets together (default 1000000)
  --rate           the most events a second (default 700)
  --targets        which targets get events at the same time (default ${targetKinds.join(',')})
  --faults         which faults take turns, with commas between them; "all" (default) or "none"
  --fault-seconds  the mean duration of a fault (default 6)
  --patience       seconds until a target that did not recover, or an event that did not arrive, is given up (default 300)
  --stack          the state folder of a running stack, such as .local; without it one is started
  --json           prints JSON
  --write          also writes the result into docs/performance.md

Faults: ${faultNames.join(', ')}.`;

const whole = v.pipe(v.string(), v.regex(/^\d+$/, 'expected a whole number'), v.transform(Number));
const positive = v.pipe(whole, v.minValue(1, 'expected 1 or more'));
const seconds = v.pipe(v.string(), v.transform(Number), v.minValue(0.1, 'expected 0.1 or more'));
const listOf = <const Names extends readonly string[]>(names: Names) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',')),
    v.array(v.picklist(names)),
  );

const schema = v.object({
  seed: whole,
  events: positive,
  rate: positive,
  targets: listOf(targetKinds),
  faults: v.union([
    v.pipe(
      v.literal('all'),
      v.transform((): readonly FaultName[] => faultNames),
    ),
    v.pipe(
      v.literal('none'),
      v.transform((): readonly FaultName[] => []),
    ),
    listOf(faultNames),
  ]),
  'fault-seconds': seconds,
  patience: seconds,
  stack: v.optional(v.string()),
  json: v.boolean(),
  write: v.boolean(),
});

/**
 * @returns nothing if help is asked for
 * @throws if an option is unknown or has a wrong value
 */
export function readPlan(args: readonly string[]): Run | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      events: { type: 'string', default: '1000000' },
      rate: { type: 'string', default: '700' },
      targets: { type: 'string', default: targetKinds.join(',') },
      faults: { type: 'string', default: 'all' },
      'fault-seconds': { type: 'string', default: '6' },
      patience: { type: 'string', default: '300' },
      stack: { type: 'string' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const read = v.safeParse(schema, values);
  if (!read.success)
    throw new Error(
      read.issues.map((issue) => `--${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('\n'),
    );
  const { json, write, stack, faults, 'fault-seconds': faultSeconds, ...plan } = read.output;
  return {
    plan: {
      ...plan,
      faultSeconds,
      faults: faultsOf(faults, plan.targets),
      ...(stack !== undefined && { stack }),
    },
    json,
    write,
  };
}
