/**
 * Builds `dist/`: the construct for both kinds of modules, the code of all Lambdas with the files of the pages, and the operator's
 * commands. Nothing is compiled or bundled where the package is installed.
 *
 *     node packages/cdk/build.ts
 */
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { buildCode } from '../../lib/build-code.ts';
import { bundledPackages } from './bundled-packages.ts';
import { declarations } from './declarations.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = `${folder}dist`;

const options = {
  absWorkingDir: folder,
  bundle: true,
  platform: 'node',
  // The oldest version in `engines`.
  target: 'node22',
  mainFields: ['module', 'main'],
  // Those are the operator's own copies, of which there must be one.
  external: ['aws-cdk-lib', 'constructs', 'cdk-monitoring-constructs'],
  legalComments: 'none',
  // Paths in comments and source maps are those in this repository, wherever its node_modules are.
  preserveSymlinks: true,
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** CommonJS has no `import.meta.url`. */
const urlOfModule = "const urlOfModule = require('node:url').pathToFileURL(__filename).href;";

/** Some packages in the bundle are CommonJS, and require modules of Node.js. */
const requireInModule =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

async function buildConstruct(): Promise<Metafile[]> {
  const entryPoints = ['src/index.ts'];
  const asModule = await build({ ...options, entryPoints, outfile: `${dist}/index.js`, format: 'esm' });
  const asCommonJs = await build({
    ...options,
    entryPoints,
    outfile: `${dist}/index.cjs`,
    format: 'cjs',
    banner: { js: urlOfModule },
    define: { 'import.meta.url': 'urlOfModule' },
  });
  return [asModule.metafile, asCommonJs.metafile];
}

async function buildCommands(): Promise<Metafile> {
  const { metafile } = await build({
    ...options,
    entryPoints: ['../../bin/omi.ts'],
    outdir: `${dist}/cli`,
    format: 'esm',
    // A command loads only the clients of AWS that it uses.
    splitting: true,
    minify: true,
    keepNames: true,
    banner: { js: requireInModule },
  });
  return metafile;
}

await rm(dist, { recursive: true, force: true });
const lambdas = await buildCode(`${dist}/lambdas`, { demo: true });
const metafiles = [...lambdas, ...(await buildConstruct()), await buildCommands()];
const types = declarations();
await writeFile(`${dist}/index.d.ts`, types);
await writeFile(`${dist}/index.d.cts`, types);
await writeFile(`${dist}/NOTICE`, await bundledPackages(metafiles));
