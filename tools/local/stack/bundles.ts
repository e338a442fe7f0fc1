import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildApp } from '../../../pages/app/build.ts';
import { buildConsole } from '../../../pages/console/build.ts';
import { buildExportsPage } from '../../../pages/exports/build.ts';
import { buildSite } from '../../../pages/bank/build.ts';
import { bundledLambdas, bundleLambdas } from '../../bundling/bundle.ts';
import { timed } from './timed.ts';

export type BundleOptions = {
  /** For what is made here. */
  directory: string;
  /** Folder with the bundles of an earlier run. */
  bundles?: string;
  log: (line: string) => void;
};

/** The folder with `<name>/index.mjs` of each Lambda. */
export async function lambdaBundles({ directory, bundles, log }: BundleOptions): Promise<string> {
  if (bundles !== undefined) return bundles;
  const folder = join(directory, 'lambdas');
  await timed(log, `${bundledLambdas().length} Lambdas bundled`, bundleLambdas(folder));
  return folder;
}

/** Where the web app is in a folder of bundles. */
export const appIn = (bundles: string): string => join(bundles, 'app');

/** Where the demo bank's page is in a folder of bundles. */
export const siteIn = (bundles: string): string => join(bundles, 'site');

/** Where the exports page is in a folder of bundles. */
export const exportsPageIn = (bundles: string): string => join(bundles, 'exports-page');

/** Where the help desk's page is in a folder of bundles. */
export const consoleIn = (bundles: string): string => join(bundles, 'console');

/** The folder of the help desk's page. */
export const consoleBundle = async (options: BundleOptions): Promise<string> =>
  await pagesBundle(options, { folderIn: consoleIn, name: 'help desk', build: buildConsole });

/** The folder of the built exports page. */
export const exportsPageBundle = async (options: BundleOptions): Promise<string> =>
  await pagesBundle(options, { folderIn: exportsPageIn, name: 'exports page', build: buildExportsPage });

/** The folder of the built web app. */
export const appBundle = async (options: BundleOptions): Promise<string> =>
  await pagesBundle(options, { folderIn: appIn, name: 'web app', build: buildApp });

/** The folder of the demo bank's page. */
export const siteBundle = async (options: BundleOptions): Promise<string> =>
  await pagesBundle(options, { folderIn: siteIn, name: 'demo bank', build: buildSite });

type Pages = {
  folderIn: (bundles: string) => string;
  name: string;
  build: (folder: string) => Promise<unknown>;
};

async function pagesBundle(
  { directory, bundles, log }: BundleOptions,
  { folderIn, name, build }: Pages,
): Promise<string> {
  if (bundles !== undefined && existsSync(folderIn(bundles))) return folderIn(bundles);
  const folder = folderIn(directory);
  // Files of an earlier version would stay.
  await rm(folder, { recursive: true, force: true });
  await timed(log, `${name} built`, build(folder));
  return folder;
}
