/** `npm run soak`: whether every event arrives, once and in order, while AWS and the receivers fail in turn. */
import { parseArgs } from 'node:util';
import { kindProperties } from '../../../core/export/kinds/records.ts';
import { logger } from '../../../core/kernel/observability.ts';
import { describeMachine, formatNumber, formatTable, median, writeBlock } from '../report.ts';
import { faults, targetKinds } from './faults.ts';
import { isSound, soak, type Plan, type Result } from './soak.ts';

logger.setLogLevel('SILENT');

const usage = `npm run soak -- [--events 1000000] [--rate 700] [--seed 1] …

Records events at a local stack, makes AWS and the receivers fail in turn, and reads what arrives in each target. Ends with
exit code 0 if no event was lost and none came out of order.

  --seed           chooses events, faults and their order
  --events         how many are recorded, for all targets together
  --rate           the most events a second
  --targets        which targets get events at the same time, of ${targetKinds.join(',')}
  --faults         which faults take turns, with commas between them; "none" is possible
  --fault-seconds  the mean duration of a fault
  --relentless     the next fault begins at once, while targets still recover from the one before
  --patience       seconds until a target that did not recover, or an event that did not arrive, is given up
  --stack          the state folder of a running stack, such as .local; without it one is started
  --json           prints JSON
  --write          also writes the result into docs/performance.md

Faults: ${Object.keys(faults).join(', ')}.`;

const text = (value: string) => ({ type: 'string', default: value }) as const;
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: {
    ...{ seed: text('1'), events: text('1000000'), rate: text('700'), 'fault-seconds': text('6') },
    ...{
      targets: text(targetKinds.join(',')),
      faults: text(Object.keys(faults).join(',')),
      patience: text('300'),
    },
    ...{ stack: { type: 'string' }, json: flag, write: flag, help: flag, relentless: flag },
  },
});

function number(name: 'seed' | 'events' | 'rate' | 'fault-seconds' | 'patience'): number {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} is no positive number`);
  return value;
}

function plan(): Plan {
  const targets = targetKinds.filter((kind) => values.targets.split(',').includes(kind));
  const named = values.faults === 'none' ? [] : values.faults.split(',');
  const unknown = named.filter((name) => !(name in faults));
  if (unknown.length > 0) throw new Error(`Unknown faults: ${unknown.join(', ')}`);
  return {
    ...{ seed: number('seed'), events: number('events'), rate: number('rate'), targets, stack: values.stack },
    ...{ faultSeconds: number('fault-seconds'), patience: number('patience'), relentless: values.relentless },
    // Without those of targets that get no events.
    faults: named.filter((name) => targets.some((kind) => (faults[name]?.of ?? kind) === kind)),
  };
}

const inSeconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);

function render(result: Result): string {
  const {
    plan: { seed, events },
    seconds,
    repeated,
    targets,
  } = result;
  const byName = [...Map.groupBy(result.faults, ({ name }) => name)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const targetRows = targets.map(({ kind, accepted, lost, inversions, duplicates, drain = Infinity }) => ({
    ...{ target: kind, 'events accepted': formatNumber(accepted), lost: formatNumber(lost) },
    'out of order': kindProperties[kind].isOrdered ? formatNumber(inversions) : '–',
    duplicates: `${formatNumber(duplicates)} (${((100 * duplicates) / Math.max(1, accepted)).toFixed(2)} %)`,
    's until all was there': inSeconds(drain),
  }));
  const faultRows = byName.map(([name, its]) => {
    const recoveries = its
      .map(({ recovery = Infinity }) => recovery)
      .filter((recovery) => recovery !== 'not awaited');
    if (recoveries.length === 0)
      return { fault: name, times: String(its.length), 's until recovered, median': '–', longest: '–' };
    const [middle, longest] = [inSeconds(median(recoveries)), inSeconds(Math.max(...recoveries))];
    return { fault: name, times: String(its.length), 's until recovered, median': middle, longest };
  });
  return [
    `${describeMachine()}. Seed ${seed}: ${formatNumber(events)} events, ${formatNumber(events / seconds)} a second. Calls of the API that failed and were made again: ${formatNumber(repeated)}.`,
    formatTable(targetRows),
    ...(faultRows.length > 0 ? [formatTable(faultRows)] : []),
    isSound(result)
      ? 'No event was lost, none came out of order, and every target recovered.'
      : 'Events were lost or came out of order, or a target did not recover.',
  ].join('\n\n');
}

if (values.help) console.log(usage);
else {
  const result = await soak(plan());
  console.log(values.json ? JSON.stringify(result) : render(result));
  if (values.write) await writeBlock('soak', render(result));
  process.exitCode = isSound(result) ? 0 : 1;
}
