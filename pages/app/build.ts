import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { buildPage, filesOf, pageOptions } from '../../bundling/page.ts';
import { pages } from './headers.ts';
import { manifestOf } from './manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = 'pages/app/src/main.tsx';
const textsFolder = 'pages/app/src/i18n/';
const style = 'pages/app/src/styles/app.css';
const serviceWorker = 'pages/app/src/platform/service-worker/index.ts';

export type AppBuild = {
  /** Paths of all files at the app's origin, such as `/index.html`. */
  files: string[];
  /** What a browser loads before the first screen, in the language with the longest texts; without icons and manifest. */
  firstLoad: string[];
};

/**
 * Builds the web app into a folder: hashed assets, `index.html`, manifest, icons, and the service worker at the root, where
 * its scope is the whole app. Tests of its parts name another script.
 */
export async function buildApp(outdir: string, { script: entry = script } = {}): Promise<AppBuild> {
  const { firstLoad, metafile } = await buildPage(outdir, {
    script: entry,
    style,
    template: `${root}pages/app/index.html`,
  });
  await writeFile(join(outdir, 'manifest.webmanifest'), JSON.stringify(manifestOf()));
  await cp(`${root}pages/app/icons`, join(outdir, 'icons'), { recursive: true });
  const files = await filesOf(outdir);
  await buildServiceWorker(outdir, files);
  return { files: await filesOf(outdir), firstLoad: [...firstLoad, ...longestTexts(metafile)] };
}

/** A page loads no worker, and a worker imports nothing at run time: it must work without a network. */
async function buildServiceWorker(outdir: string, files: readonly string[]): Promise<void> {
  const shell = files.filter((path) => path.endsWith('.html') || path.startsWith('/assets/'));
  await build({
    ...pageOptions,
    entryPoints: [serviceWorker],
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

/** Each language is loaded on demand, and is a file of its own. A test's script may have none. */
function longestTexts({ outputs }: Metafile): string[] {
  const texts = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint?.startsWith(textsFolder));
  const longest = texts.toSorted(([, one], [, other]) => other.bytes - one.bytes).slice(0, 1);
  return longest.map(([path]) => `/assets/${basename(path)}`);
}
