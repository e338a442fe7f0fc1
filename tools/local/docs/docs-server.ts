import type { RequestListener } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { cacheControlOf, contentTypeOf, headersFor } from '#ui/headers.ts';
import { localHeadersOf } from '../origin/origin-files.ts';
import { type OriginServer, startOriginServer } from '../origin/origin-server.ts';
import { builtSite, isSiteBuilt } from './built-site.ts';

export type DocsServerOptions = {
  /** 0 for any free port. */
  port: number;
  /** The API at its loopback address. No page calls it. */
  apiUrl: string;
  folder?: string;
};

/** Each page has its own policy, which names its scripts. What a page cannot say of itself is here. */
const headers = {
  ...localHeadersOf(headersFor()),
  'content-security-policy': "frame-ancestors 'none'",
};

const notBuilt = 'The docs are not built. Build them with "npm run docs:site", and load this page again.\n';

/**
 * The docs site. Its files are read when they are asked for: the start does not wait for them, and a site that is built
 * meanwhile is served.
 */
export async function startDocsServer({
  port,
  apiUrl,
  folder = builtSite,
}: DocsServerOptions): Promise<OriginServer> {
  const server = await startOriginServer({ port, apiUrl, headers, forwarded: [] });
  server.open({ files: new Map(), program: { isFor: () => true, listener: servingFrom(folder) } });
  return server;
}

function servingFrom(folder: string): RequestListener {
  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { ...headers, allow: 'GET, HEAD' }).end();
      return;
    }
    void read(folder, url).then(({ status, path, body }) => {
      const type = { 'content-type': contentTypeOf(path), 'cache-control': cacheControlOf(path) };
      response.writeHead(status, { ...headers, ...type, 'content-length': body.length });
      response.end(method === 'HEAD' ? undefined : body);
    });
  };
}

type Answer = { status: number; path: string; body: Buffer };

async function read(folder: string, url: string): Promise<Answer> {
  const path = pathOf(url);
  const file = path === undefined ? undefined : fileIn(folder, path);
  const body = file === undefined ? undefined : await readFile(file).catch(() => undefined);
  if (path !== undefined && body) return { status: 200, path, body };
  const page = await readFile(join(folder, '404.html')).catch(() => Buffer.from(notBuilt));
  return { status: 404, path: isSiteBuilt(folder) ? '/404.html' : '/404.txt', body: page };
}

function pathOf(url: string): string | undefined {
  const [encoded = ''] = url.split('?');
  try {
    const path = decodeURIComponent(encoded);
    return path.endsWith('/') ? `${path}index.html` : path;
  } catch {
    return undefined;
  }
}

/** Nothing outside of the folder has an address. */
function fileIn(folder: string, path: string): string | undefined {
  const file = resolve(folder, `.${path}`);
  return file.startsWith(`${resolve(folder)}${sep}`) && !path.includes('\0') ? file : undefined;
}
