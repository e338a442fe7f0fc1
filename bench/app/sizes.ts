import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildApp } from '../../app/build.ts';
import { type Language, languages } from '../../app/src/i18n/texts.ts';
import { bundle, entryOf } from '../../bundling/bundle.ts';

export type Sizes = {
  /** Compressed: what a browser loads before the first screen, in each language. */
  firstLoad: Record<Language, number>;
  /** Compressed: what is loaded behind the first screen, so that the app opens without a network. */
  serviceWorker: number;
  /** Minified, by the Lambda's name. */
  bundles: Record<(typeof sending)[number], number>;
};

/** The Lambdas that push. */
const sending = ['send-to-device', 'send-to-user'] as const;

export async function appSizes(): Promise<Sizes> {
  const folder = await mkdtemp(join(tmpdir(), 'omi-bench-app-'));
  try {
    return { ...(await measureApp(join(folder, 'app'))), bundles: await measureBundles(folder) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureApp(folder: string): Promise<Omit<Sizes, 'bundles'>> {
  const { files, firstLoad } = await buildApp(folder);
  const compressed = async (path: string): Promise<number> =>
    gzipSync(await readFile(join(folder, path))).length;
  const isText = (path: string): boolean => /^\/assets\/[a-z]{2}-/.test(path);
  const sum = async (paths: readonly string[]): Promise<number> =>
    (await Promise.all(paths.map(compressed))).reduce((total, size) => total + size, 0);
  // The build names the files of the language with the longest texts.
  const common = firstLoad.filter((path) => !isText(path));
  const loads = languages.map(async (language) => {
    const texts = files.filter((path) => path.startsWith(`/assets/${language}-`));
    if (texts.length !== 1) throw new Error(`The texts in ${language} are ${texts.length} files.`);
    return [language, await sum([...common, ...texts])] as const;
  });
  return {
    firstLoad: Object.fromEntries(await Promise.all(loads)) as Record<Language, number>,
    serviceWorker: await compressed('/service-worker.js'),
  };
}

async function measureBundles(folder: string): Promise<Sizes['bundles']> {
  await bundle(sending.map(entryOf), folder);
  const sizes = sending.map(async (name) => [name, (await stat(join(folder, name, 'index.mjs'))).size]);
  return Object.fromEntries(await Promise.all(sizes)) as Sizes['bundles'];
}
