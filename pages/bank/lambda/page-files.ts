import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { contentTypeOf } from '#ui/headers.ts';
import { siteCacheControlOf } from '../headers.ts';

type Answer = (request: Request) => Promise<Response>;

/**
 * Answers with the files of a folder. Their names are read once, so a request can name no other file.
 *
 * @returns undefined for a path without a file
 */
export function pageFiles(folder: string): (pathname: string) => Answer | undefined {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `/${relative(folder, join(parentPath, name))}`);
  const answers = new Map(paths.map((path) => [path, fileAnswer(join(folder, path), path)]));
  const index = answers.get('/index.html');
  if (index) answers.set('/', index);
  return (pathname) => answers.get(pathname);
}

function fileAnswer(file: string, path: string): Answer {
  let read: Promise<Buffer<ArrayBuffer>> | undefined;
  return async ({ method, headers }) => {
    if (method !== 'GET' && method !== 'HEAD')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    const body = await (read ??= readFile(file));
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const common = { etag, 'cache-control': siteCacheControlOf(path) };
    if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: common });
    const answered = method === 'HEAD' ? null : body;
    return new Response(answered, { headers: { ...common, 'content-type': contentTypeOf(path) } });
  };
}
