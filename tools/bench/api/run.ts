/** `npm run bench:api` compares our polls with the poll of CIBA of `oidc-provider`, the standard for the same purpose. */
import { parseArgs } from 'node:util';
import { writeBlock } from '../report.ts';
import { bench, render } from './bench.ts';

const usage = `npm run bench:api -- [--rounds 5] [--seconds 4] [--connections 10] [--write]

  --rounds       number of rounds, after one that does not count
  --seconds      duration of a measurement; a round has eight
  --connections  number of connections that poll at the same time
  --write        also write the result into docs/performance.md`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else {
  const [rounds, seconds, connections] = [values.rounds, values.seconds, values.connections].map(Number);
  const size = { rounds: rounds ?? NaN, seconds: seconds ?? NaN, connections: connections ?? NaN };
  const report = render(await bench(size, (line) => console.error(line)), size);
  console.log(report);
  if (values.write) await writeBlock('bench:api', report);
}
