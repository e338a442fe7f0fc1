import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { pages } from './headers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const SCRIPT = 'app/src/main.tsx';
const TEXTS = 'app/src/i18n/';
const STYLE = 'app/src/styles/app.css';
const SERVICE_WORKER = 'app/src/platform/service-worker/index.ts';

export type AppBuild = {
  /** Paths of all files at the app's origin, such as `/index.html`. */
  files: string[];
  /** What a browser loads before the first screen, in the language with the longest texts; without icons and manifest. */
  firstLoad: string[];
};

const options = {
  bundle: true,
  absWorkingDir: root,
  platform: 'browser' as const,
  // The oldest browsers with all that the app needs: push on iOS, passkeys, and modules in which `import()` works.
  target: ['chrome110', 'firefox115', 'safari16.4'],
  minify: true,
  legalComments: 'none' as const,
  logLevel: 'warning' as const,
  metafile: true as const,
} satisfies BuildOptions;

/**
 * Builds the web app into a folder: hashed assets, `index.html`, manifest, icons, and the service worker at the root, where
 * its scope is the whole app. Tests of its parts name another script.
 */
export async function buildApp(outdir: string, { script: entry = SCRIPT } = {}): Promise<AppBuild> {
  await mkdir(outdir, { recursive: true });
  const { metafile } = await build({
    ...options,
    entryPoints: [entry, STYLE],
    outdir,
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
  });
  const script = outputOf(metafile, entry);
  const style = outputOf(metafile, STYLE);
  await writePage(outdir, script, style);
  await cp(`${root}app/manifest.webmanifest`, join(outdir, 'manifest.webmanifest'));
  await cp(`${root}app/icons`, join(outdir, 'icons'), { recursive: true });
  const files = await filesOf(outdir);
  await buildServiceWorker(outdir, files);
  return {
    files: await filesOf(outdir),
    firstLoad: ['/index.html', style, ...staticImportsOf(metafile, script), ...longestTexts(metafile)],
  };
}

/** A page loads no worker, and a worker imports nothing at run time: it must work without a network. */
async function buildServiceWorker(outdir: string, files: readonly string[]): Promise<void> {
  const shell = files.filter((path) => path.endsWith('.html') || path.startsWith('/assets/'));
  await build({
    ...options,
    entryPoints: [SERVICE_WORKER],
    outfile: join(outdir, 'service-worker.js'),
    format: 'iife',
    define: {
      SHELL: JSON.stringify(shell),
      SHELL_VERSION: JSON.stringify(await hashOf(shell.map((path) => join(outdir, path)))),
      PAGES: JSON.stringify([...pages, '/index.html']),
    },
  });
}

async function hashOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

/** The path of an entry's output at the app's origin. */
function outputOf(metafile: Metafile, entry: string): string {
  const output = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (!output) throw new Error(`${entry} has no output`);
  return `/assets/${basename(output[0])}`;
}

/** Each language is loaded on demand, and is a file of its own. A test's script may have none. */
function longestTexts({ outputs }: Metafile): string[] {
  const texts = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint?.startsWith(TEXTS));
  const longest = texts.toSorted(([, one], [, other]) => other.bytes - one.bytes).slice(0, 1);
  return longest.map(([path]) => `/assets/${basename(path)}`);
}

function staticImportsOf(metafile: Metafile, script: string): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const output = Object.entries(metafile.outputs).find(([path]) => basename(path) === basename(name));
    for (const { path, kind } of output?.[1].imports ?? [])
      if (kind === 'import-statement') visit(`/assets/${basename(path)}`);
  };
  visit(script);
  return [...found];
}

async function writePage(outdir: string, script: string, style: string): Promise<void> {
  const template = await readFile(`${root}app/index.html`, 'utf8');
  await writeFile(join(outdir, 'index.html'), template.replace('%SCRIPT%', script).replace('%STYLE%', style));
}

async function filesOf(outdir: string): Promise<string[]> {
  const entries = await readdir(outdir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(outdir.length).replaceAll('\\', '/'))
    .toSorted();
}
