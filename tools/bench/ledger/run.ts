/** `npm run bench:ledger`: what the ledger, `reconcile` and replays cost with a million events in DynamoDB Local. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { writeBlock } from '../report/document.ts';
import { startDatabase } from './database.ts';
import { measure } from './measure.ts';
import { render } from './report.ts';

const usage = `npm run bench:ledger -- [--large 1000000] [--middle 100000] [--replayed 50000] [--write]

  --large     events of the largest hour
  --middle    events of another hour
  --replayed  events of a replay
  --write     also write the result into docs/performance.md`;

const { values } = parseArgs({
  options: {
    large: { type: 'string', default: '1000000' },
    middle: { type: 'string', default: '100000' },
    replayed: { type: 'string', default: '50000' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<void> {
  const size = {
    large: Number(values.large),
    middle: Number(values.middle),
    replayed: Number(values.replayed),
  };
  const database = await startDatabase();
  try {
    const figures = await measure(database, size, (line) => console.error(line));
    const report = render({ figures, at: new Date(), load: loadavg()[0] ?? Number.NaN });
    console.log(report);
    if (values.write) await writeBlock('bench:ledger', report);
  } finally {
    await database.close();
  }
}

if (values.help) console.log(usage);
else await run();
