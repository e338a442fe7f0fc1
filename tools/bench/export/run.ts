/** `npm run bench:export` compares the exporter with other ways to export events. */
import { parseArgs } from 'node:util';
import { logger } from '../../../core/kernel/observability.ts';
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

const legend = `Events have 585 bytes on average.
Speed is per second of processor time, with a sink that needs none. Inversions, duplicates and losses occur with a
sink that rejects 1 % of the records and 1 % of the calls. Latency is the time from the hand-over of a batch to the sink's
answer, with 5 ms for a call and 50 MB/s. The minimum is one record with all events of a tenant in a batch, without separators.`;

function sectionOf(results: Result[]): string {
  const [first] = results;
  if (!first) return '';
  const { tenants, distribution, batch } = first.scenario;
  const title = `${tenants} ${tenants === 1 ? 'tenant' : 'tenants'} (${distribution}), batches of ${formatNumber(batch)}`;
  return `${title}:\n\n${formatTable(results.map(rowOf))}`;
}

/** Reports each part as soon as it is measured. */
async function report(size: Size, print: (part: string) => void): Promise<void> {
  print(`${describeMachine()}. ${legend}`);
  print(`Only the packing path: ${formatNumber(await benchPacking(size))} events/s per core.`);
  for await (const results of bench(size)) print(sectionOf(results));
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

  --recovery  measure how long a target takes to recover from a stall; without --json
  --quick     measure less, for a first impression
  --json      print JSON
  --write     also write the result into docs/performance.md`;

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
