import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../report.ts';
import { environments } from './environments.ts';
import { emptyVariant, type Variant, type VariantName } from './variants.ts';

const loader = fileURLToPath(new URL('load.cjs', import.meta.url));
const run = promisify(execFile);

/** Milliseconds from the start of a process until the handler can be called: of the clock, and of the processor. */
type Start = { wall: number; cpu: number };

async function startUp(file: string, lambda: string): Promise<Start> {
  const { stdout } = await run(process.execPath, [loader, file], { env: environments.get(lambda) ?? {} });
  return JSON.parse(stdout) as Start;
}

/** One Lambda, bundled in one way. */
export type Cold = Start & { bytes: number };
export type Measurement = { lambda: string; modules: readonly string[] } & Record<VariantName, Cold>;

/**
 * The median start of each Lambda minus that of the empty one, for each way of bundling. One process runs at a time, and the
 * ways take turns, so that other work on the machine affects all of them.
 */
export async function measure(
  variants: readonly Variant[],
  lambdas: readonly string[],
  runs: number,
): Promise<Measurement[]> {
  const empty = variants.find(({ name }) => name === 'control')?.fileOf(emptyVariant) ?? '';
  const starts = new Map<string, Start[]>();
  for (let round = 0; round <= runs; round += 1)
    for (const lambda of lambdas) {
      const files = variants.map(({ fileOf }) => fileOf(lambda));
      for (const file of [empty, ...(round % 2 === 0 ? files : files.toReversed())]) {
        const start = await startUp(file, lambda);
        // The first round only fills the caches of the file system.
        if (round > 0) starts.set(file, [...(starts.get(file) ?? []), start]);
      }
    }
  const medianOf = (file: string, time: keyof Start): number =>
    median((starts.get(file) ?? []).map((start) => start[time]));
  const coldOf = ({ bytes, fileOf }: Variant, lambda: string): Cold => ({
    bytes: bytes.get(lambda) ?? Number.NaN,
    wall: medianOf(fileOf(lambda), 'wall') - medianOf(empty, 'wall'),
    cpu: medianOf(fileOf(lambda), 'cpu') - medianOf(empty, 'cpu'),
  });
  return lambdas.map((lambda) => {
    const colds = variants.map((variant) => [variant.name, coldOf(variant, lambda)] as const);
    const modules = variants.find(({ name }) => name === 'ours')?.modules.get(lambda) ?? [];
    return { lambda, modules, ...(Object.fromEntries(colds) as Record<VariantName, Cold>) };
  });
}
