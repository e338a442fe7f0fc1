import type { Metafile } from 'esbuild';
import { bundle, bundleLambdas, entryOf } from '../tools/bundling/bundle.ts';
import { buildDemoSite } from './demo-site-files.ts';
import { buildConsole } from '../pages/console/build.ts';
import { buildExportsPage } from '../pages/exports/build.ts';
import { buildWebApp, packPage } from './web-app-files.ts';

/**
 * Bundles every Lambda once, with the files of the pages in the Lambdas that deploy them.
 *
 * @returns which modules are in the Lambdas' bundles
 */
export async function buildCode(folder: string, { demo }: { demo: boolean }): Promise<Metafile[]> {
  const lambdas = await bundleLambdas(folder);
  await buildWebApp(`${folder}/deploy-web-app/app`);
  // The same program with other files.
  await bundle([{ ...entryOf('deploy-web-app'), out: 'deploy-exports-page/index' }], folder);
  await packPage(buildExportsPage, `${folder}/deploy-exports-page/app`);
  await bundle([{ ...entryOf('deploy-web-app'), out: 'deploy-console/index' }], folder);
  await packPage(buildConsole, `${folder}/deploy-console/app`);
  return demo ? [lambdas, await buildDemoSite(folder)] : [lambdas];
}
