/**
 * Builds `dist/`: modules for bundlers (`index.js` and its parts), the same for CommonJS (`cjs/`), and one file for each script tag
 * (`omi-elements.js` and so on).
 * Languages other than English are files of their own, which a page loads when it needs them.
 *
 *     node packages/elements/build.ts [<folder>]
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The oldest browsers with form-associated elements, container queries and `color-mix`. */
const target = ['chrome111', 'firefox113', 'safari16.4'];

/** The most bytes, compressed by gzip, of a file by itself, so with everything that an element loads at first. */
const budgets = { element: 10_240, language: 2_000 };

/** What is included by a script tag, by the name of its file. */
const tags = {
  'omi-elements': 'src/index.ts',
  'omi-confirmation': 'src/confirmation-element-define.ts',
  'omi-enrolment': 'src/enrolment-element-define.ts',
};

const modules = [
  'src/index.ts',
  'src/confirmation-element.ts',
  'src/confirmation-element-define.ts',
  'src/enrolment-element.ts',
  'src/enrolment-element-define.ts',
  'src/react.ts',
];

/** esbuild does not look into the text of a style sheet. */
const minifiedStyles: Plugin = {
  name: 'minified-styles',
  setup: (bundle) => {
    bundle.onLoad({ filter: /\/styles\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const [text = '', css = ''] = /(?<=const css = )`([^`]*)`/.exec(source) ?? [];
      if (css === '') throw new Error(`${path} has no style sheet`);
      const { code } = await transform(css, { loader: 'css', minify: true, target });
      return { contents: source.replace(text, JSON.stringify(withoutSpaces(code))), loader: 'ts' };
    });
  },
};

/** esbuild keeps the spaces in the values of custom properties. */
const withoutSpaces = (css: string): string =>
  css
    .trim()
    .replace(/([:,]) +/g, '$1')
    .replace(/ +}/g, '}');

const options = {
  absWorkingDir: folder,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  chunkNames: 'chunks/[name]-[hash]',
  // Paths in source maps are those in this repository, wherever its node_modules are.
  preserveSymlinks: true,
  plugins: [minifiedStyles],
  external: ['react'],
} as const satisfies BuildOptions;

/** A script tag's file is all there is, so members of its own can have short names: flags and a few more, but not those of the browser or of a server's answers. */
const shortNames = {
  mangleProps:
    /^((is|can|needs|starts)[A-Z]|(choices|clock|deadline|hint|outcome|problem|refusal|says|share|tone)$)/,
  reserveProps: /^(isArray|isConnected|isIntersecting)$/,
} as const satisfies BuildOptions;

/** CommonJS has no chunks: a module requires the others, or each would have an element of its own. */
const required: Plugin = {
  name: 'required',
  setup: (bundle) => {
    bundle.onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ path, kind }) =>
      kind !== 'entry-point' && modules.includes(path.replace('./', 'src/'))
        ? { path: path.replace(/\.ts$/, '.js'), external: true, sideEffects: true }
        : undefined,
    );
  },
};

async function buildCommonJs(outdir: string): Promise<void> {
  await build({
    ...options,
    splitting: false,
    format: 'cjs',
    plugins: [...options.plugins, required],
    entryPoints: modules,
    outdir,
    sourcemap: true,
  });
  // The nearest package.json says of which kind a module and its types are.
  await writeFile(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
}

export type Size = { file: string; bytes: number };

/** @returns the size of each script tag's file and of each language, compressed by gzip */
export async function buildElements(outdir: string): Promise<Size[]> {
  await rm(outdir, { recursive: true, force: true });
  await build({ ...options, entryPoints: modules, outdir, sourcemap: true });
  await buildCommonJs(join(outdir, 'cjs'));
  const sizes = [];
  for (const [out, source] of Object.entries(tags)) {
    const { metafile } = await build({
      ...options,
      ...shortNames,
      entryPoints: [{ in: source, out }],
      outdir,
    });
    sizes.push(...(await sizesOf(metafile)));
  }
  return sizes;
}

async function sizesOf({ outputs }: Metafile): Promise<Size[]> {
  return await Promise.all(
    Object.entries(outputs).map(async ([path, { entryPoint = '' }]) => ({
      file: languageIn(entryPoint) ?? basename(path),
      bytes: gzipSync(await readFile(`${folder}${path}`), { level: 9 }).length,
    })),
  );
}

/** The file with both elements is as large as it is. */
function budgetOf(file: string): number {
  if (file.includes('/')) return budgets.language;
  return file === 'omi-elements.js' ? Infinity : budgets.element;
}

/** "confirmation/de" for the file of a language. */
const languageIn = (entryPoint: string): string | undefined =>
  /src\/(\w+)\/texts\/(\w+)\.ts$/.exec(entryPoint)?.slice(1).join('/');

if (import.meta.main) {
  const sizes = await buildElements(process.argv[2] ?? `${folder}dist`);
  // On standard error: standard output may be that of `npm pack --json`.
  for (const { file, bytes } of sizes) console.error(`${String(bytes).padStart(6)}  ${file}`);
  const large = sizes.filter(({ file, bytes }) => bytes > budgetOf(file));
  if (large.length > 0) throw new Error(`Too large: ${large.map(({ file }) => file).join(', ')}`);
}
