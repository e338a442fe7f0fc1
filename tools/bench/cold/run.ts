/** `npm run bench:cold` compares size and cold start of every Lambda's bundle with the usual ways to bundle it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeBlock } from '../report/document.ts';
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

async function bench(lambdas: string[], runs: number, directory: string): Promise<string> {
  const subjects = lambdas.map((lambda) => {
    const environment = environments.get(lambda);
    if (!environment) throw new Error(`There is no Lambda ${lambda}.`);
    return { lambda, environment };
  });
  const variants = await buildVariants(lambdas, directory);
  const measurements = await measure(variants, subjects, runs);
  const modulesOf = (lambda: string) =>
    variants.find(({ name }) => name === 'ours')?.modules.get(lambda) ?? [];
  return render(
    measurements.map((one) => ({ ...one, modules: modulesOf(one.lambda) })),
    runs,
  );
}

async function run(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'omi-cold-'));
  try {
    const report = await bench(values.lambda, Math.max(1, Number(values.runs)), directory);
    console.log(report);
    if (values.write) await writeBlock('bench:cold', report);
  } finally {
    await rm(directory, { recursive: true });
  }
}

if (values.help) console.log(usage);
else await run();
