import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { cacheControlOf, contentTypeOf, pages, securityHeaders } from '../../app/headers.ts';

/** What the app's origin answers to a GET. */
export type AppFile = {
  headers: Record<string, string>;
  body: Buffer;
  /** The body for clients that accept gzip; images have none. */
  gzipped: Buffer | undefined;
};

/** By path at the app's origin. */
export type AppFiles = ReadonlyMap<string, AppFile>;

/** Reads the built app into memory. So a request can name no other file, and a later build cannot change half of it. */
export async function readAppFiles(directory: string, config: { baseUrl: string }): Promise<AppFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const reading = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = `/${relative(directory, file).replaceAll(sep, '/')}`;
      return [path, await appFile(path, await readFile(file))] as const;
    });
  const files = new Map(await Promise.all(reading));
  const index = files.get('/index.html');
  if (!index) throw new Error(`${directory} has no index.html`);
  for (const page of pages) files.set(page, index);
  return files.set(CONFIG, await appFile(CONFIG, Buffer.from(JSON.stringify(config))));
}

/** The app reads the base URL of its own stack here. */
const CONFIG = '/config.json';

const IMAGES = ['.png'];

async function appFile(path: string, body: Buffer): Promise<AppFile> {
  return {
    headers: {
      ...localHeaders,
      'cache-control': cacheControlOf(path),
      'content-type': contentTypeOf(path),
      vary: 'accept-encoding',
    },
    body,
    gzipped: IMAGES.includes(extname(path)) ? undefined : await promisify(gzip)(body),
  };
}

/**
 * CloudFront's headers, without Strict-Transport-Security: behind a TLS proxy at https://localhost a browser would apply it
 * to every port of this machine for two years.
 */
export const localHeaders: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(securityHeaders)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name !== 'strict-transport-security'),
);
