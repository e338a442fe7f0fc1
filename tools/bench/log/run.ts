/** `npm run bench:log`: what it takes to close, prove and verify a log with very many events in DynamoDB Local. */
import { parseArgs } from 'node:util';
import { startDatabase } from '../ledger/database.ts';
import { writeBlock } from '../report/document.ts';
import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { median, percentile } from '../report/statistics.ts';
import { measure } from './measure.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    ...{ write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  },
});

if (values.help) console.log('npm run bench:log -- [--events 1000000] [--write]\n\n  --events  in an hour');
else {
  const database = await startDatabase();
  try {
    const rows = (await measure(database.client, Number(values.events))).map(({ what, times }) => ({
      'the log': what,
      times: formatNumber(times.length),
      ...{ 'p50 ms': formatNumber(median(times)), 'p95 ms': formatNumber(percentile(times, 0.95)) },
    }));
    const report = `${describeMachine()}.\n\n${formatTable(rows)}`;
    console.log(report);
    if (values.write) await writeBlock('bench:log', report);
  } finally {
    await database.close();
  }
}
