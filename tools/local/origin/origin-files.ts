import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { contentTypeOf } from '#ui/headers.ts';

/** What an origin answers to a GET. */
export type OriginFile = {
  headers: Record<string, string>;
  body: Buffer;
  /** The body for clients that accept gzip; images have none. Compressed for the first of them. */
  gzipped: () => Buffer | undefined;
};

/** By path at the origin. */
export type OriginFiles = ReadonlyMap<string, OriginFile>;

export type OriginFilesOptions = {
  /** What the page reads at `/config.json`. */
  config: object;
  /** The headers of every file. */
  headers: Readonly<Record<string, string>>;
  cacheControlOf: (path: string) => string;
  /** The paths that answer with `index.html`. */
  pages: readonly string[];
};

/** Reads built files into memory. So a request can name no other file, and a later build cannot change half of them. */
export async function readOriginFiles(
  directory: string,
  { config, headers, cacheControlOf, pages }: OriginFilesOptions,
): Promise<OriginFiles> {
  const fileOf = (path: string, body: Buffer): OriginFile => ({
    headers: {
      ...headers,
      'cache-control': cacheControlOf(path),
      'content-type': contentTypeOf(path),
      vary: 'accept-encoding',
    },
    body,
    gzipped: images.includes(extname(path)) ? () => undefined : once(() => gzipSync(body)),
  });
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const reading = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = `/${relative(directory, file).replaceAll(sep, '/')}`;
      return [path, fileOf(path, await readFile(file))] as const;
    });
  const files = new Map(await Promise.all(reading));
  const index = files.get('/index.html');
  if (!index) throw new Error(`${directory} has no index.html`);
  for (const page of pages) files.set(page, index);
  return files.set(configPath, fileOf(configPath, Buffer.from(JSON.stringify(config))));
}

/** Makes it when it is first needed. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

const configPath = '/config.json';

const images = ['.png'];

/**
 * The deployed headers, without Strict-Transport-Security: behind a TLS proxy at https://localhost a browser would apply it
 * to every port of this machine for two years.
 */
export const localHeadersOf = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => name !== 'strict-transport-security'),
  );
