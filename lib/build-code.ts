import type { Metafile } from 'esbuild';
import { bundle, bundleLambdas, entryOf } from '../bundling/bundle.ts';
import { buildDemoSite } from './demo-site-files.ts';
import { buildConsole } from '../pages/console/build.ts';
import { buildExportsPage } from '../pages/exports/build.ts';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheControlOf, contentTypeOf } from '#ui/headers.ts';
import { buildApp } from '../pages/app/build.ts';
import { pages } from '../pages/app/headers.ts';

const indexFile = '/index.html';

/** How the Lambda that deploys the web app writes a file into the bucket. */
const uploadOf = (path: string, key = path.slice(1)) => ({
  key,
  file: path.slice(1),
  contentType: contentTypeOf(path),
  cacheControl: cacheControlOf(path),
});

/**
 * Builds the web app into the code of the Lambda that deploys it. A page is a copy of `index.html` under its own name, so
 * CloudFront needs neither a function nor an error page, which would hide errors of the API.
 */
export async function buildWebApp(folder: string): Promise<void> {
  // Assets of an earlier build have other names.
  await rm(folder, { recursive: true, force: true });
  const { files } = await buildApp(folder);
  const copies = pages.filter((page) => page !== '/').map((page) => uploadOf(indexFile, page.slice(1)));
  await writeUploads(folder, [...files.map((path) => uploadOf(path)), ...copies]);
}

/** Builds a page of one file into the code of the Lambda that deploys it. */
async function packPage(
  build: (folder: string) => Promise<{ files: readonly string[] }>,
  folder: string,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const { files } = await build(folder);
  await writeUploads(
    folder,
    files.map((path) => uploadOf(path)),
  );
}

const writeUploads = async (folder: string, uploads: ReturnType<typeof uploadOf>[]): Promise<void> =>
  await writeFile(join(folder, 'files.json'), JSON.stringify(uploads));

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
