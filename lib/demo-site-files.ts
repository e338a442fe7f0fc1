import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundle } from '../tools/bundling/bundle.ts';
import { buildSite } from '../pages/bank/build.ts';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The script that the page loads. Its modules are beside it. */
const mainFile = 'main.js';

/** Makes the code of the demo bank's Lambda, with the page's files in it. */
export async function buildDemoSite(folder: string): Promise<void> {
  const page = join(folder, 'demo-site/page');
  // Files of an earlier build may not exist any more.
  await rm(page, { recursive: true, force: true });
  await buildSite(page);
  await joinModules(page);
  await bundle([{ in: fromRoot('pages/bank/lambda/index.ts'), out: 'demo-site/index' }], folder);
}

/**
 * Puts the page's modules into one file. A browser asks for all modules at once, and each request is a call of the Lambda: forty
 * of them would use up its limits.
 */
async function joinModules(page: string): Promise<void> {
  const script = join(page, mainFile);
  const { metafile } = await build({
    absWorkingDir: page,
    entryPoints: [script],
    outfile: script,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    // Those of the packages.
    external: ['/assets/*'],
    metafile: true,
    logLevel: 'warning',
  });
  const joined = Object.keys(metafile.inputs).filter((file) => file !== mainFile);
  await Promise.all(joined.map(async (file) => await rm(join(page, file))));
}
