import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { contentTypeOf, headersFor } from '#ui/headers.ts';
import { localHeadersOf } from '../origin/origin-files.ts';
import { type OriginServer, startOriginServer } from '../origin/origin-server.ts';
import type { RequestRecorder } from './recorder.ts';

/** So that a page notices a stack that has ended. */
const heartbeatMs = 15_000;

/** Many calls at once are one message. */
const gatherMs = 100;

/** Server-sent events (WHATWG HTML, section 9.2): the calls that are kept, and each further one. */
function serveLive(
  recorder: RequestRecorder,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  let last = Number(request.headers['last-event-id'] ?? 0) || 0;
  let gathering: NodeJS.Timeout | undefined;
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write('retry: 1000\n\n');

  const send = (): void => {
    gathering = undefined;
    for (const shown of recorder.after(last)) {
      last = shown.id;
      response.write(`id: ${shown.id}\ndata: ${JSON.stringify(shown)}\n\n`);
    }
  };
  const stop = recorder.watch(() => (gathering ??= setTimeout(send, gatherMs).unref()));
  const beating = setInterval(() => response.write(': heartbeat\n\n'), heartbeatMs).unref();
  response.once('close', () => {
    stop();
    clearInterval(beating);
    clearTimeout(gathering);
  });
  send();
}

/** The end of the log is enough: what is looked for happened a moment ago. */
const mostBytes = 4 * 1024 * 1024;

/** The lines of the Lambdas' log that name a call. The log has no secrets. */
async function logLinesOf(logFile: string, traceId: string): Promise<string[]> {
  await using file = await open(logFile, 'r');
  const { size } = await file.stat();
  const begin = Math.max(0, size - mostBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - begin), 0, size - begin, begin);
  const lines = buffer.subarray(0, bytesRead).toString().split('\n');
  return lines.filter((line) => line.includes(traceId));
}

export type RequestsServerOptions = {
  /** 0 for any free port. */
  port: number;
  /** The API at its loopback address. The page does not call it. */
  apiUrl: string;
  recorder: RequestRecorder;
  /** Has the Lambdas' lines. */
  logFile: string;
};

const headers = localHeadersOf(headersFor());

const folder = join(import.meta.dirname, 'page');

/** By path, with the file that is read for it. */
const files: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/page.js': 'page.ts',
  '/page.css': 'page.css',
  '/icon.svg': 'icon.svg',
};

/** The viewer of requests: each call of the API, live. */
export async function startRequestsServer({
  port,
  apiUrl,
  recorder,
  logFile,
}: RequestsServerOptions): Promise<OriginServer> {
  const server = await startOriginServer({ port, apiUrl, headers, forwarded: [] });
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method !== 'GET') response.writeHead(405, { ...headers, allow: 'GET' }).end();
    else if (pathname === '/live') serveLive(recorder, request, response, headers);
    else if (pathname === '/log')
      void answer(response, async () => ({
        type: 'application/json',
        body: JSON.stringify(await logLinesOf(logFile, traceIdOf(searchParams))),
      }));
    else void answer(response, async () => await pageFile(pathname));
  };
  server.open({ files: new Map(), program: { isFor: () => true, listener } });
  return server;
}

/** As the gateway makes them; anything shorter would be in every line. */
function traceIdOf(query: URLSearchParams): string {
  const traceId = query.get('traceId') ?? '';
  if (!/^[\w-]{15}=$/.test(traceId)) throw new Error('Not a traceId');
  return traceId;
}

type Content = { type: string; body: string };

/** The page has types, which a browser does not read. */
async function pageFile(pathname: string): Promise<Content> {
  const name = Object.hasOwn(files, pathname) ? files[pathname] : undefined;
  if (name === undefined) throw new Error('No such file');
  const text = await readFile(join(folder, name), 'utf8');
  if (!name.endsWith('.ts')) return { type: contentTypeOf(name), body: text };
  // Not before somebody looks: the start does not wait for it.
  const { transform } = await import('esbuild');
  const { code } = await transform(text, { loader: 'ts' });
  return { type: contentTypeOf('page.js'), body: code };
}

async function answer(response: ServerResponse, make: () => Promise<Content>): Promise<void> {
  try {
    const { type, body } = await make();
    response.writeHead(200, { ...headers, 'content-type': type, 'cache-control': 'no-store' }).end(body);
  } catch {
    response.writeHead(404, { ...headers, 'content-type': 'text/plain' }).end('Not Found');
  }
}
