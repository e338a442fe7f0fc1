/** `npm run bench:callbacks`: how soon call-backs come, and whether bad receivers delay those of healthy ones. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startStack } from '../stack/stack.ts';
import { writeBlock } from '../report/document.ts';
import { measure } from './measure.ts';
import { render } from './report.ts';

const usage = `npm run bench:callbacks -- [--rounds 3] [--waves 5] [--receivers 50] [--write]

  --rounds     rounds of each kind: healthy receivers alone, and with two bad ones
  --waves      call-backs of each receiver in a round
  --receivers  healthy ones
  --write      also write the result into docs/performance.md`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    waves: { type: 'string', default: '5' },
    receivers: { type: 'string', default: '50' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<void> {
  const plan = {
    rounds: Number(values.rounds),
    waves: Number(values.waves),
    receivers: Number(values.receivers),
  };
  const stack = await startStack();
  try {
    const rounds = await measure(stack, plan, (line) => console.error(line));
    const load = loadavg()[0] ?? Number.NaN;
    const report = render({ rounds, plan, at: new Date(), load });
    console.log(report);
    if (values.write) await writeBlock('bench:callbacks', report);
  } finally {
    await stack.stop();
  }
}

if (values.help) console.log(usage);
else await run();
