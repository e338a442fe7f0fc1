import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { lazyBuiltins } from './lazy-builtins.ts';
import { stubSdk } from './stub-sdk.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A Lambda is a folder of `lambdas/` with an `index.ts` that exports `handler`. */
export const bundledLambdas = (): string[] =>
  readdirSync(`${root}lambdas`).filter((name) => existsSync(`${root}lambdas/${name}/index.ts`));

export type Entry = { in: string; out: string };

export const entryOf = (lambda: string): Entry => ({
  in: `${root}lambdas/${lambda}/index.ts`,
  out: `${lambda}/index`,
});

/**
 * Bundles modules into `<outdir>/<out>.mjs`, each with everything that it imports. The source map beside each bundle is for
 * reading stack traces. It is not deployed, because it is three times the bundle's size.
 *
 * @returns which modules are in each bundle
 */
export async function bundle(entryPoints: Entry[], outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    minify: true,
    legalComments: 'none',
    // The SDK's packages name their tree-shakeable form `module`. By default esbuild takes all of their CommonJS form.
    mainFields: ['module', 'main'],
    plugins: [stubSdk, lazyBuiltins],
    absWorkingDir: root,
    entryPoints,
    outdir,
    sourcemap: 'linked',
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

/** Bundles every Lambda into `<outdir>/<name>/index.mjs`. */
export const bundleLambdas = async (outdir: string): Promise<Metafile> =>
  await bundle(bundledLambdas().map(entryOf), outdir);
