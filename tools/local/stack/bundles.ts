import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildApp } from '../../../pages/app/build.ts';
import { buildConsole } from '../../../pages/console/build.ts';
import { buildExportsPage } from '../../../pages/exports/build.ts';
import { buildSite } from '../../../pages/bank/build.ts';
import { bundledLambdas, bundleLambdas } from '../../../bundling/bundle.ts';

type BundleOptions = {
  /** For what is made here. */
  directory: string;
  /** Folder with the bundles of an earlier run. */
  bundles?: string;
  log: (line: string) => void;
};

type PageName = 'app' | 'console' | 'exports-page' | 'site';

/** The pages by their places in a folder of bundles. */
const pages: Record<PageName, { name: string; build: (folder: string) => Promise<unknown> }> = {
  app: { name: 'web app', build: buildApp },
  console: { name: 'help desk', build: buildConsole },
  'exports-page': { name: 'exports page', build: buildExportsPage },
  site: { name: 'demo bank', build: buildSite },
};

/** Makes all pages in a folder of bundles. */
export async function buildPages(bundles: string): Promise<void> {
  await Promise.all(Object.entries(pages).map(async ([page, { build }]) => await build(join(bundles, page))));
}

/** The folder with `<name>/index.mjs` of each Lambda. */
export async function lambdaBundles({ directory, bundles, log }: BundleOptions): Promise<string> {
  if (bundles !== undefined) return bundles;
  const folder = join(directory, 'lambdas');
  await timed(log, `${bundledLambdas().length} Lambdas bundled`, bundleLambdas(folder));
  return folder;
}

/** The folder of a built page. */
export async function pageBundle(
  page: PageName,
  { directory, bundles, log }: BundleOptions,
): Promise<string> {
  if (bundles !== undefined && existsSync(join(bundles, page))) return join(bundles, page);
  const folder = join(directory, page);
  // Files of an earlier version would stay.
  await rm(folder, { recursive: true, force: true });
  const { name, build } = pages[page];
  await timed(log, `${name} built`, build(folder));
  return folder;
}

/** Logs how long the work took. */
export async function timed<Result>(
  log: (line: string) => void,
  what: string,
  work: Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  const result = await work;
  log(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${what}`);
  return result;
}
