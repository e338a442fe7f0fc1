/** `npm run bench:api`: the poll of a confirmation beside the poll of CIBA, the standard's own way to do the same. */
import { parseArgs } from 'node:util';
import { writeBlock } from '../report/document.ts';
import { bench, withSubjects } from './bench.ts';
import { render } from './report.ts';
import { runningStack, startStack } from './stack.ts';

const usage = `npm run bench:api -- [--rounds 5] [--seconds 4] [--connections 10] [--state <folder>] [--write]

  --rounds       rounds that count, after one that does not
  --seconds      of each measurement; a round has eight
  --connections  that poll at once
  --state        folder of a local stack that runs already (.local), instead of one of the benchmark's own
  --write        put the result into docs/performance.md, too`;

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
