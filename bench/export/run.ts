/** `npm run bench:export`: the exporter beside other ways to do the same. */
import { parseArgs } from 'node:util';
import { logger } from '../../core/kernel/observability.ts';
import { bench, benchPacking, full, quick, type Result, type Size } from './bench.ts';
import { writeBlock } from '../report/document.ts';
import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { fullRecovery, quickRecovery, recoveryLegend, recoveryTable } from './recovery/report.ts';

process.env['POWERTOOLS_METRICS_DISABLED'] = 'true';
process.env['POWERTOOLS_METRICS_NAMESPACE'] = 'bench';
logger.setLogLevel('SILENT');

const rowOf = (result: Result): Record<string, string> => ({
  strategy: result.strategy,
  'events/s per core': formatNumber(result.eventsPerSecond),
  'requests per 1,000': result.requestsPer1000.toFixed(1),
  'units (1 KB) over minimum': result.over1.toFixed(3),
  'units (5 KB) over minimum': result.over5.toFixed(3),
  'events per 1 KB': result.eventsPerUnit1.toFixed(2),
  'events per 5 KB': result.eventsPerUnit5.toFixed(2),
  inversions: String(result.inversions),
  duplicates: String(result.duplicates),
  lost: String(result.lost),
  'p50 ms': result.p50.toFixed(1),
  'p99 ms': result.p99.toFixed(1),
});

const legend = `Events of 585 bytes in the mean.
Speed is per second of processor time, with a sink that takes none. Inversions, duplicates and losses are those of a
sink that refuses 1 % of the records and 1 % of the calls. Latency is from the hand-over of a batch to the sink's
answer, where a call takes 5 ms and 50 MB/s. The minimum: a tenant's events of a batch as one record without any frame.`;

function sectionOf(results: Result[]): string {
  const [first] = results;
  if (!first) return '';
  const { tenants, distribution, batch } = first.scenario;
  const title = `${tenants} ${tenants === 1 ? 'tenant' : 'tenants'} (${distribution}), batches of ${formatNumber(batch)}`;
  return `${title}:\n\n${formatTable(results.map(rowOf))}`;
}

/** Says each part as soon as it is known. */
async function report(size: Size, say: (part: string) => void): Promise<void> {
  say(`${describeMachine()}. ${legend}`);
  say(`The packing path alone: ${formatNumber(await benchPacking(size))} events/s per core.`);
  for await (const results of bench(size)) say(sectionOf(results));
}

async function printReport(size: Size): Promise<void> {
  const parts: string[] = [];
  await report(size, (part) => {
    console.log(`${part}\n`);
    parts.push(part);
  });
  if (values.write) await writeBlock('bench:export', parts.join('\n\n'));
}

async function printJson(size: Size): Promise<void> {
  const packing = await benchPacking(size);
  const all: Result[] = [];
  for await (const results of bench(size)) all.push(...results);
  console.log(JSON.stringify({ packing, results: all }));
}

async function printRecovery(): Promise<void> {
  const table = await recoveryTable(values.quick ? quickRecovery : fullRecovery);
  const report = `${describeMachine()}. ${recoveryLegend}\n\n${table}`;
  console.log(report);
  if (values.write) await writeBlock('bench:recovery', report);
}

const usage = `npm run bench:export -- [--recovery] [--quick] [--json | --write]

  --recovery  how long a target that stalled takes to be active again; without --json
  --quick     a first impression
  --json      for programs
  --write     put the result into docs/performance.md, too`;

const { values } = parseArgs({
  options: {
    recovery: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const size = values.quick ? quick : full;
if (values.help) console.log(usage);
else if (values.recovery) await printRecovery();
else await (values.json ? printJson(size) : printReport(size));
