import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { bundle } from '../bundling/bundle.ts';
import { buildSite } from '../pages/bank/build.ts';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * Makes the code of the demo bank's Lambda, with the page's files in it.
 *
 * @returns which modules are in the Lambda's bundle
 */
export async function buildDemoSite(folder: string): Promise<Metafile> {
  const page = join(folder, 'demo-site/page');
  // Files of an earlier build may not exist any more.
  await rm(page, { recursive: true, force: true });
  await buildSite(page);
  return await bundle([{ in: fromRoot('pages/bank/lambda/index.ts'), out: 'demo-site/index' }], folder);
}
