/** `npm run bench:export`: what the exporter's calls and records cost, and how fast it is. */
import { parseArgs } from 'node:util';
import { logger } from '../../../core/kernel/observability.ts';
import { describeMachine, formatNumber, formatTable, median, writeBlock } from '../report.ts';
import { measureCosts, measureSpeed } from './measure.ts';
import { makeWorkload } from './scenario.ts';

process.env['POWERTOOLS_METRICS_DISABLED'] = 'true';
process.env['POWERTOOLS_METRICS_NAMESPACE'] = 'bench';
logger.setLogLevel('SILENT');

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '12000' },
    rounds: { type: 'string', default: '9' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const scenarios = [1, 20, 200].flatMap((tenants) => [100, 1_000].map((batch) => ({ tenants, batch })));

async function measure(events: number, rounds: number): Promise<string> {
  const rows: Record<string, string>[] = [];
  for (const scenario of scenarios)
    for (const kind of ['stream', 'bucket'] as const) {
      const workload = makeWorkload(scenario, Math.ceil(events / scenario.batch));
      const { calls, over } = await measureCosts(kind, workload);
      rows.push({
        to: `${kind}s of ${formatNumber(scenario.tenants)} tenants`,
        'events in a batch': formatNumber(scenario.batch),
        'calls for 1,000 events': calls.toFixed(1),
        'units over the fewest': over.toFixed(3),
      });
    }
  const speeds = await measureSpeed(
    makeWorkload({ tenants: 20, batch: 1_000 }, Math.ceil(events / 1_000)),
    rounds,
  );
  const [control = []] = Object.values(speeds);
  const speedRows = Object.entries(speeds).map(([way, its]) => ({
    'batches of 1,000 events of 20 tenants': way,
    'events/s of a core': formatNumber(median(its)),
    'times the control': median(its.map((speed, round) => speed / (control[round] ?? NaN))).toFixed(2),
  }));
  return [
    `${describeMachine()}. Medians of ${rounds} rounds.`,
    formatTable(rows),
    formatTable(speedRows),
  ].join('\n\n');
}

if (values.help) console.log('npm run bench:export -- [--events 12000] [--rounds 9] [--write]');
else {
  const report = await measure(Number(values.events), Number(values.rounds));
  console.log(report);
  if (values.write) await writeBlock('bench:export', report);
}
