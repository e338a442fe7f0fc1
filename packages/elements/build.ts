/**
 * Builds `dist/`: modules for bundlers (`index.js` and its parts), and one file for each script tag (`omi-elements.js` and so on).
 * Languages other than English are files of their own, which a page loads when it needs them.
 *
 *     node packages/elements/build.ts [<folder>]
 */
import { readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The oldest browsers with form-associated elements, container queries and `color-mix`. */
const target = ['chrome111', 'firefox113', 'safari16.4'];

/** The most bytes, compressed by gzip, of a file by itself, so with everything that an element loads at first. */
export const budgets = { element: 10_000, language: 2_000 };

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
      return { contents: source.replace(text, JSON.stringify(code.trim())), loader: 'ts' };
    });
  },
};

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
  plugins: [minifiedStyles],
  external: ['react'],
} as const satisfies BuildOptions;

export type Size = { file: string; bytes: number };

/** @returns the size of each script tag's file and of each language, compressed by gzip */
export async function buildElements(outdir: string): Promise<Size[]> {
  await rm(outdir, { recursive: true, force: true });
  await build({ ...options, entryPoints: modules, outdir });
  const sizes = [];
  for (const [out, source] of Object.entries(tags)) {
    const { metafile } = await build({ ...options, entryPoints: [{ in: source, out }], outdir });
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
