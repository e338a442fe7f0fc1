import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../report/statistics.ts';
import { EMPTY, type Variant, type VariantName } from './variants.ts';

const loader = fileURLToPath(new URL('load.cjs', import.meta.url));
const run = promisify(execFile);

/** Milliseconds from the start of a fresh process until the handler can be called. */
async function startUp(file: string, env: NodeJS.ProcessEnv): Promise<number> {
  const { stdout } = await run(process.execPath, [loader, file], { env });
  return Number(stdout);
}

/** One Lambda, bundled in one way. */
export type Cold = { bytes: number; milliseconds: number };

export type Measurement = { lambda: string } & Record<VariantName, Cold>;

export type Subject = { lambda: string; environment: NodeJS.ProcessEnv };

/** The start times of each file. */
class Times {
  readonly #byFile = new Map<string, number[]>();

  add(file: string, milliseconds: number): void {
    const known = this.#byFile.get(file);
    if (known) known.push(milliseconds);
    else this.#byFile.set(file, [milliseconds]);
  }

  median(file: string): number {
    return median(this.#byFile.get(file) ?? []);
  }
}

/**
 * The median start time of each Lambda minus that of the empty one, for each way of bundling. One process runs at a time, and
 * the ways take turns, so that other work on the machine affects all of them.
 */
export async function measure(
  variants: readonly Variant[],
  subjects: readonly Subject[],
  runs: number,
): Promise<Measurement[]> {
  const empty = variants.find(({ name }) => name === 'control')?.fileOf(EMPTY) ?? '';
  const times = new Times();
  for (let round = 0; round <= runs; round += 1)
    for (const { lambda, environment } of subjects)
      for (const file of [empty, ...rotated(variants, round).map(({ fileOf }) => fileOf(lambda))]) {
        const milliseconds = await startUp(file, environment);
        // The first round only fills the caches of the file system.
        if (round > 0) times.add(file, milliseconds);
      }
  const coldOf = ({ bytes, fileOf }: Variant, lambda: string): Cold => ({
    bytes: bytes.get(lambda) ?? Number.NaN,
    milliseconds: times.median(fileOf(lambda)) - times.median(empty),
  });
  return subjects.map(({ lambda }) => {
    const colds = variants.map((variant) => [variant.name, coldOf(variant, lambda)] as const);
    return { lambda, ...(Object.fromEntries(colds) as Record<VariantName, Cold>) };
  });
}

/** Another variant comes first in each round. */
const rotated = <Value>(values: readonly Value[], by: number): Value[] => [
  ...values.slice(by % values.length),
  ...values.slice(0, by % values.length),
];
