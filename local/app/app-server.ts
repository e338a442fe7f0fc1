import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { StartError } from '../command/start-error.ts';
import { isPortTaken } from '../issuer/port.ts';
import { serveLocalhost } from '../server/loopback-server.ts';
import { type AppFiles, localHeaders } from './app-files.ts';
import { forwardTo } from './forward.ts';

export type AppServerOptions = {
  /** 0 for any free port. */
  port: number;
  /** Where the app is reached through a TLS proxy or tunnel. Without it, at its own address. */
  publicUrl?: string | undefined;
  /** The API at its loopback address. */
  apiUrl: string;
};

export type AppServer = {
  /** The app's origin. Keys and passkeys of its users hang on it. */
  url: string;
  /** Its own URL on loopback. */
  address: string;
  /** Before this call the server answers 503. */
  open: (files: AppFiles) => void;
  close: () => Promise<void>;
};

/** The calls that CloudFront forwards to the API, so that the app calls its own origin only. */
const FORWARDED = '/omi/device/';
/** The call that removes the device; it has no path below. */
const FORWARDED_ROOT = '/omi/device';

/**
 * The web app at `http://localhost:<port>`: an IP address cannot be the id of a passkey's relying party.
 *
 * @throws {StartError} if the port is not available
 */
export async function startAppServer({ port, publicUrl, apiUrl }: AppServerOptions): Promise<AppServer> {
  let files: AppFiles | undefined;
  let url = '';
  const api = forwardTo(apiUrl);
  const handler: RequestListener = (request, response) => {
    const [pathname = ''] = (request.url ?? '').split('?');
    if (pathname === FORWARDED_ROOT || pathname.startsWith(FORWARDED)) api.forward(request, response);
    else if (publicUrl === undefined && isAtAddress(request)) redirect(response, `${url}${pathname}`);
    else if (files) serveFile(files, pathname, request, response);
    else response.writeHead(503, { ...localHeaders, 'retry-after': '1' }).end();
  };
  const starting = serveLocalhost(handler, { port, publicUrl });
  const server = await starting.catch((error: unknown) => {
    throw startErrorOf(error, port);
  });
  url = publicUrl ?? server.url;
  const close = async (): Promise<void> => {
    api.close();
    await server.close();
  };
  return { url, address: server.url, open: (opened) => void (files = opened), close };
}

/** A page at `http://127.0.0.1` would have another origin, whose keys are not those of `http://localhost`. */
const isAtAddress = ({ headers: { host = '' } }: IncomingMessage): boolean => /^(127\.|\[::1\])/.test(host);

const redirect = (response: ServerResponse, location: string): void =>
  void response.writeHead(308, { ...localHeaders, location }).end();

function serveFile(
  files: AppFiles,
  pathname: string,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const file = files.get(pathname);
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { ...localHeaders, allow: 'GET, HEAD' }).end();
    return;
  }
  if (!file) {
    response.writeHead(404, { ...localHeaders, 'content-type': 'text/plain' }).end('Not Found');
    return;
  }
  const acceptsGzip = /\bgzip\b/.test(String(headers['accept-encoding']));
  const gzipped = acceptsGzip ? file.gzipped : undefined;
  const body = gzipped ?? file.body;
  response.writeHead(200, {
    ...file.headers,
    ...(gzipped && { 'content-encoding': 'gzip' }),
    'content-length': body.length,
  });
  response.end(method === 'HEAD' ? undefined : body);
}

function startErrorOf(error: unknown, port: number): unknown {
  const hint = 'Choose another one for the web app, for example with "OMI_APP_PORT=8091 npm start".';
  if (isPortTaken(error)) return new StartError(`Port ${port} is in use by another program. ${hint}`);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES') return new StartError(`This user may not use port ${port}. ${hint}`);
  return error;
}
