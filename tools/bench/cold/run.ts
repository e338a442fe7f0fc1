/** `npm run bench:cold` compares size and cold start of every Lambda's bundle with the usual way to bundle it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeBlock } from '../report.ts';
import { environments } from './environments.ts';
import { measure } from './measure.ts';
import { render } from './report.ts';
import { buildVariants } from './variants.ts';

const usage = `npm run bench:cold -- [--runs 20] [--lambda <name> ...] [--write]

  --runs    starts of each bundle
  --lambda  measure only these Lambdas
  --write   also write the result into docs/performance.md`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    lambda: { type: 'string', multiple: true, default: [...environments.keys()] },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else {
  const directory = await mkdtemp(join(tmpdir(), 'omi-cold-'));
  try {
    const variants = await buildVariants(values.lambda, directory);
    const runs = Math.max(1, Number(values.runs));
    const report = render(await measure(variants, values.lambda, runs), runs);
    console.log(report);
    if (values.write) await writeBlock('bench:cold', report);
  } finally {
    await rm(directory, { recursive: true });
  }
}
