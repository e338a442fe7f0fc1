/** `npm run bench:api` compares the poll of a confirmation with the poll of CIBA, the standard for the same purpose. */
import { parseArgs } from 'node:util';
import { writeBlock } from '../report/document.ts';
import { bench, withSubjects } from './bench.ts';
import { render } from './report.ts';
import { runningStack, startStack } from '../stack/stack.ts';

const usage = `npm run bench:api -- [--rounds 5] [--seconds 4] [--connections 10] [--state <folder>] [--write]

  --rounds       number of rounds, after one that does not count
  --seconds      duration of a measurement; a round has twelve
  --connections  number of connections that poll at the same time
  --state        folder of a running local stack (.local), instead of an own one
  --write        also write the result into docs/performance.md`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '10' },
    state: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<void> {
  const size = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: Number(values.connections),
  };
  const { state } = values;
  const start = state === undefined ? startStack : async () => await runningStack(state);
  const rounds = await withSubjects(
    start,
    async (subjects) => await bench(subjects, size, (line) => console.error(line)),
  );
  const report = render(rounds, size);
  console.log(report);
  if (values.write) await writeBlock('bench:api', report);
}

if (values.help) console.log(usage);
else await run();
