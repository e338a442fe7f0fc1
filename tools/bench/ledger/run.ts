/** `npm run bench:ledger`: what the ledger and `reconcile` cost with very many events in DynamoDB Local. */
import { parseArgs } from 'node:util';
import { writeBlock } from '../report/document.ts';
import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { startDatabase } from './database.ts';
import { measure } from './measure.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    ...{ write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  },
});

if (values.help)
  console.log('npm run bench:ledger -- [--events 1000000] [--write]\n\n  --events  of the largest hour');
else {
  const database = await startDatabase();
  try {
    const figures = await measure(database, Number(values.events));
    const rows = figures.map(({ what, seconds, requests, cpu, calls, bytes, ownCpu }) => ({
      'the ledger, by the API': what,
      ...{ seconds: seconds.toFixed(2), requests: formatNumber(requests) },
      ...{ 'CPU s, service': cpu.toFixed(2), 'CPU s, consumer': ownCpu.toFixed(2) },
      ...{ 'calls of DynamoDB': formatNumber(calls), 'MB read': formatNumber(bytes / 1e6) },
    }));
    const report = `${describeMachine()}.\n\n${formatTable(rows)}`;
    console.log(report);
    if (values.write) await writeBlock('bench:ledger', report);
  } finally {
    await database.close();
  }
}
