import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheControlOf, contentTypeOf } from '#ui/headers.ts';
import { buildApp } from '../pages/app/build.ts';
import { pages } from '../pages/app/headers.ts';

const indexFile = '/index.html';

/** How the Lambda that deploys the web app writes a file into the bucket. */
const uploadOf = (path: string, key = path.slice(1)) => ({
  key,
  file: path.slice(1),
  contentType: contentTypeOf(path),
  cacheControl: cacheControlOf(path),
});

/**
 * Builds the web app into the code of the Lambda that deploys it. A page is a copy of `index.html` under its own name, so
 * CloudFront needs neither a function nor an error page, which would hide errors of the API.
 */
export async function buildWebApp(folder: string): Promise<void> {
  // Assets of an earlier build have other names.
  await rm(folder, { recursive: true, force: true });
  const { files } = await buildApp(folder);
  const copies = pages.filter((page) => page !== '/').map((page) => uploadOf(indexFile, page.slice(1)));
  await writeUploads(folder, [...files.map((path) => uploadOf(path)), ...copies]);
}

/** Builds a page of one file into the code of the Lambda that deploys it. */
export async function packPage(
  build: (folder: string) => Promise<{ files: readonly string[] }>,
  folder: string,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const { files } = await build(folder);
  await writeUploads(
    folder,
    files.map((path) => uploadOf(path)),
  );
}

const writeUploads = async (folder: string, uploads: ReturnType<typeof uploadOf>[]): Promise<void> =>
  await writeFile(join(folder, 'files.json'), JSON.stringify(uploads));
