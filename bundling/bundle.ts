import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { leanOptions } from './lean.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A Lambda is a folder of `lambdas/` with an `index.ts` that exports `handler`. */
export const bundledLambdas = (): string[] =>
  readdirSync(`${root}lambdas`).filter((name) => existsSync(`${root}lambdas/${name}/index.ts`));

/**
 * Bundles every Lambda into `<outdir>/<name>/index.mjs` in one pass, each whole by itself. The source map beside it
 * is for those who read a stack trace; it stays out of the deployed package, where it would quadruple the size.
 *
 * @returns what went into each bundle
 */
export async function bundleLambdas(outdir: string): Promise<Metafile> {
  return await bundle(bundledLambdas().map(entryOf), outdir);
}

export type Entry = { in: string; out: string };

/** Of a Lambda, by its name. */
export const entryOf = (name: string): Entry => ({
  in: `${root}lambdas/${name}/index.ts`,
  out: `${name}/index`,
});

/** {@link bundleLambdas} for any modules. */
export async function bundle(entryPoints: Entry[], outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...leanOptions,
    plugins: [...leanOptions.plugins],
    mainFields: [...leanOptions.mainFields],
    absWorkingDir: root,
    entryPoints,
    outdir,
    sourcemap: 'linked',
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}
