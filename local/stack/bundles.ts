import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildApp } from '../../app/build.ts';
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

/** The folder of the built web app. */
export async function appBundle({ directory, bundles, log }: BundleOptions): Promise<string> {
  if (bundles !== undefined && existsSync(appIn(bundles))) return appIn(bundles);
  const folder = join(directory, 'app');
  // Names of assets have a hash of their content, so those of an earlier version would stay.
  await rm(folder, { recursive: true, force: true });
  await timed(log, 'web app built', buildApp(folder));
  return folder;
}
