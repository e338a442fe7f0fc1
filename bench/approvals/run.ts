/** `npm run bench:approvals`: how often a client calls the service for one approval. */
import { parseArgs } from 'node:util';
import { runningStack, startStack } from '../api/stack.ts';
import { writeBlock } from '../report/document.ts';
import { measure } from './measure.ts';
import { render } from './report.ts';

const usage = `npm run bench:approvals -- [--seconds 10] [--state <folder>] [--write]

  --seconds  after which the user answers
  --state    folder of a running local stack (.local), instead of an own one
  --write    also write the result into docs/performance.md`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    state: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<void> {
  const { state, write } = values;
  const seconds = Number(values.seconds);
  const stack = await (state === undefined ? startStack() : runningStack(state));
  try {
    const report = render(await measure(stack, seconds * 1_000), { seconds, at: new Date() });
    console.log(report);
    if (write) await writeBlock('bench:approvals', report);
  } finally {
    await stack.stop();
  }
}

if (values.help) console.log(usage);
else await run();
