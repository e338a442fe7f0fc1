import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { serveLocalhost } from '../server/loopback-server.ts';
import { forwardTo } from './forward.ts';
import type { OriginFiles } from './origin-files.ts';

export type OriginServerOptions = {
  /** 0 for any free port. */
  port: number;
  /** Where browsers reach it through a TLS proxy or tunnel. Without it, at its own address. */
  publicUrl?: string | undefined;
  /** The API at its loopback address. */
  apiUrl: string;
  /** On every answer of this server's own. */
  headers: Readonly<Record<string, string>>;
  /** Paths of calls that go to the API, as CloudFront forwards them: a page calls its own origin only. `/*` is all below. */
  forwarded: readonly string[];
};

/** What an origin serves. */
export type Served = {
  files: OriginFiles;
  /** Answers the paths that it is for, and is asked before the files. */
  program?: { isFor: (pathname: string) => boolean; listener: RequestListener };
};

export type OriginServer = {
  /** The origin, as browsers see it. */
  url: string;
  /** Its own URL on loopback. */
  address: string;
  /** Before this call the server answers 503. */
  open: (served: Served) => void;
  close: () => Promise<void>;
};

/** Pages at `http://localhost:<port>`: an IP address cannot be the id of a passkey's relying party. */
export async function startOriginServer(options: OriginServerOptions): Promise<OriginServer> {
  const { port, publicUrl, apiUrl, headers, forwarded } = options;
  let served: Served | undefined;
  let url = '';
  const api = forwardTo(apiUrl);
  const handler: RequestListener = (request, response) => {
    const [pathname = ''] = (request.url ?? '').split('?');
    if (forwarded.some((path) => isOf(path, pathname))) api.forward(request, response);
    else if (publicUrl === undefined && isAtAddress(request))
      response.writeHead(308, { ...headers, location: `${url}${pathname}` }).end();
    else if (!served) response.writeHead(503, { ...headers, 'retry-after': '1' }).end();
    else if (served.program?.isFor(pathname)) served.program.listener(request, response);
    else serveFile(served.files, pathname, { request, response, headers });
  };
  const server = await serveLocalhost(handler, { port, publicUrl });
  url = publicUrl ?? server.url;
  const close = async (): Promise<void> => {
    api.close();
    await server.close();
  };
  return { url, address: server.url, open: (opened) => void (served = opened), close };
}

const isOf = (path: string, pathname: string): boolean =>
  path.endsWith('/*') ? pathname.startsWith(path.slice(0, -1)) : pathname === path;

/** A page at `http://127.0.0.1` would have another origin, whose keys are not those of `http://localhost`. */
const isAtAddress = ({ headers: { host = '' } }: IncomingMessage): boolean => /^(127\.|\[::1\])/.test(host);

type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  headers: Readonly<Record<string, string>>;
};

function serveFile(files: OriginFiles, pathname: string, { request, response, headers }: Exchange): void {
  const { method } = request;
  const file = files.get(pathname);
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { ...headers, allow: 'GET, HEAD' }).end();
    return;
  }
  if (!file) {
    response.writeHead(404, { ...headers, 'content-type': 'text/plain' }).end('Not Found');
    return;
  }
  const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding']));
  const gzipped = acceptsGzip ? file.gzipped() : undefined;
  const body = gzipped ?? file.body;
  response.writeHead(200, {
    ...file.headers,
    ...(gzipped && { 'content-encoding': 'gzip' }),
    'content-length': body.length,
  });
  response.end(method === 'HEAD' ? undefined : body);
}
