/** `npm run bench:app`: how large the web app is, and how long its user waits. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { runningStack, startStack } from '../api/stack.ts';
import { writeBlock } from '../report/document.ts';
import { measure } from './measure.ts';
import { render } from './report.ts';
import { appSizes } from './sizes.ts';

const usage = `npm run bench:app -- [--rounds 15] [--state <folder>] [--write]

  --rounds  number of users who enrol a browser and confirm in it, after one that does not count
  --state   folder of a running local stack (.local), instead of an own one
  --write   also write the result into docs/performance.md`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    state: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<void> {
  const { state, rounds: count } = values;
  const stack = await (state === undefined ? startStack() : runningStack(state));
  try {
    const log = (line: string): void => console.error(line);
    const measured = await measure(stack.file, Number(count), log);
    const load = loadavg()[0] ?? Number.NaN;
    const report = render({ ...measured, sizes: await appSizes(), at: new Date(), load });
    console.log(report);
    if (values.write) await writeBlock('bench:app', report);
  } finally {
    await stack.stop();
  }
}

if (values.help) console.log(usage);
else await run();
