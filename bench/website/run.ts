/** `npm run bench:website`: what a website has to write, how long its users wait, and how often it calls. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { runningStack, startStack } from '../api/stack.ts';
import { writeBlock } from '../report/document.ts';
import { linesByHand, linesWithPackages } from './lines.ts';
import { measure } from './measure.ts';
import { render } from './report.ts';
import { builtElements, packageSizes } from './sizes.ts';

const usage = `npm run bench:website -- [--rounds 20] [--state <folder>] [--write]

  --rounds  number of users who confirm in each way, after one that does not count
  --state   folder of a running local stack (.local), instead of an own one
  --write   also write the result into docs/performance.md`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    state: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<void> {
  const { state, rounds: count } = values;
  const stack = await (state === undefined ? startStack() : runningStack(state));
  try {
    const elements = await builtElements();
    const log = (line: string): void => console.error(line);
    const rounds = await measure(stack, elements.code, Number(count), log);
    const lines = { hand: linesByHand(), packages: linesWithPackages() };
    const report = render({
      lines,
      bytes: await packageSizes(elements),
      rounds,
      at: new Date(),
      load: loadavg()[0] ?? Number.NaN,
    });
    console.log(report);
    if (values.write) await writeBlock('bench:website', report);
  } finally {
    await stack.stop();
  }
}

if (values.help) console.log(usage);
else await run();
