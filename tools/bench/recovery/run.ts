/** `npm run bench:recovery`: how long a target takes to recover from a stall while new events arrive. */
import { parseArgs } from 'node:util';
import { logger } from '../../../core/kernel/observability.ts';
import { writeBlock } from '../report/document.ts';
import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { measureRecovery } from './measure.ts';

process.env['POWERTOOLS_METRICS_DISABLED'] = 'true';
process.env['POWERTOOLS_METRICS_NAMESPACE'] = 'bench';
logger.setLogLevel('SILENT');

const usage = `npm run bench:recovery -- [--rate 400 ...] [--stall 5] [--longest 30] [--write]

  --rate     events a second; several are measured one after the other
  --stall    seconds in which the stream accepts nothing
  --longest  seconds after which a target counts as not recovered`;

const { values } = parseArgs({
  options: {
    // Up to the capacity of two shards: 2 MB/s.
    rate: { type: 'string', multiple: true, default: ['100', '400', '800', '1600', '2400', '3000', '3300'] },
    ...{ stall: { type: 'string', default: '5' }, longest: { type: 'string', default: '30' } },
    ...{ write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  },
});

if (values.help) console.log(usage);
else {
  const rows: Record<string, string>[] = [];
  const [stallMs, longestMs] = [Number(values.stall) * 1_000, Number(values.longest) * 1_000];
  for (const rate of values.rate.map(Number)) {
    const { seconds } = await measureRecovery({ rate, stallMs, longestMs });
    rows.push({
      'events/s': formatNumber(rate),
      'seconds until active': seconds?.toFixed(1) ?? `more than ${values.longest}`,
    });
  }
  const report = `${describeMachine()}. A stall of ${values.stall} s.\n\n${formatTable(rows)}`;
  console.log(report);
  if (values.write) await writeBlock('bench:recovery', report);
}
