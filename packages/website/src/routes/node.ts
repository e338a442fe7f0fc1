import { Denied } from './denied.ts';
import { markParsed } from '../../../http/src/webhook-secret.ts';
import { type Body, rebuiltBody, refuseLost, streamOf } from './node-body.ts';

/** What is used of a request of Node.js, Express or Fastify. */
export type NodeRequest = {
  method?: string | undefined;
  url?: string | undefined;
  /** The whole path, where a router cuts `url`. */
  originalUrl?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** Express and Fastify: with what a trusted proxy says. */
  protocol?: string | undefined;
  host?: string | undefined;
  /** Express 4 alone. Its `host` lacks the port, and warns when it is read. */
  param?: unknown;
  hostname?: string | undefined;
  /** What a parser has read. */
  body?: unknown;
  /** The bytes themselves, as NestJS and Google's functions keep them beside it. */
  rawBody?: unknown;
  readableDidRead?: boolean | undefined;
  socket?: object | undefined;
};

/** What is used of a response of Node.js or Express. */
export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string | string[]): unknown;
  end(body: Uint8Array): unknown;
  once?(event: 'close', listener: () => void): unknown;
  writableFinished?: boolean;
};

/**
 * Serves a function for web requests, such as the routes, in Node.js and Express, also behind parsers of bodies. It gets the
 * framework's own request, too. If it throws {@link Denied}, that is the answer.
 *
 * @example app.use('/omi', toNodeHandler(routes));
 */
export const toNodeHandler =
  <Native extends NodeRequest>(answer: (request: Request, native: Native) => Promise<Response>) =>
  async (request: Native, response: NodeResponse, next?: (error: unknown) => unknown): Promise<void> => {
    try {
      const gone = new AbortController();
      response.once?.('close', () => {
        if (!response.writableFinished) gone.abort();
      });
      await sendResponse(response, await answer(toRequest(request, gone.signal), request));
    } catch (error) {
      if (error instanceof Denied) await sendResponse(response, error.response());
      else if (next) next(error);
      else throw error;
    }
  };

/** CONNECT, TRACE and TRACK, which `Request` does not take: https://fetch.spec.whatwg.org/#forbidden-method */
const forbidden = /^(con|tra)/i;

function refuse(status: number, code: string): never {
  throw new Denied('The request is invalid.', { code, status });
}

/**
 * A request of Node.js, Express or Fastify as a web request. Its body may have been parsed already.
 *
 * @param signal aborts when the caller is gone
 */
export function toRequest(request: NodeRequest, signal: AbortSignal | null = null): Request {
  const { method = 'GET' } = request;
  if (forbidden.test(method)) refuse(405, 'method-not-allowed');
  const headers = headersOf(request);
  if (method === 'GET' || method === 'HEAD') return new Request(urlOf(request), { method, headers, signal });
  const read = readBody(request, headers);
  const body = bodyOf(read, request, headers);
  // What is parsed and written again may be shorter; and a form gets a new boundary, which Request writes itself.
  headers.delete('content-length');
  if (body instanceof FormData) headers.delete('content-type');
  // Node.js wants `duplex` for streams.
  const init: RequestInit & { duplex: string } = {
    method,
    headers,
    signal,
    duplex: 'half',
    body: body ?? null,
  };
  const made = new Request(urlOf(request), init);
  return typeof read === 'object' && read !== null && !(read instanceof Uint8Array) ? markParsed(made) : made;
}

export async function sendResponse(to: NodeResponse, response: Response): Promise<void> {
  to.statusCode = response.status;
  const cookies = response.headers.getSetCookie();
  for (const [name, value] of response.headers) to.setHeader(name, name === 'set-cookie' ? cookies : value);
  to.end(new Uint8Array(await response.arrayBuffer()));
}

function urlOf(request: NodeRequest): URL {
  const { url = '', originalUrl = url, protocol, socket } = request;
  const scheme = protocol ?? (socket && 'encrypted' in socket ? 'https' : 'http');
  const whole = `${scheme}://${authorityOf(request)}${originalUrl}`;
  if (!originalUrl.startsWith('/') || !URL.canParse(whole)) refuse(400, 'invalid-request');
  return new URL(whole);
}

function authorityOf(request: NodeRequest): string {
  const { headers } = request;
  const sent = String(headers['host'] ?? headers[':authority']);
  if (!('param' in request)) return request.host ?? sent;
  // Without the port, which is the sent one's unless a proxy has named another address.
  const { hostname = sent } = request;
  const isForwarded = headers['x-forwarded-host'] !== undefined;
  return !isForwarded && sent.startsWith(`${hostname}:`) ? sent : hostname;
}

function headersOf({ headers }: NodeRequest): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers))
    // HTTP/2 has pseudo-headers, which begin with a colon.
    if (value !== undefined && !name.startsWith(':')) for (const one of [value].flat()) all.append(name, one);
  return all;
}

/** What a parser has read, or a framework has kept beside it. */
function readBody({ body, rawBody = body }: NodeRequest, headers: Headers): unknown {
  if (rawBody instanceof Uint8Array) return rawBody;
  // The JSON of an empty object. Otherwise a parser of Express 4 has left the body unread, or something has kept it elsewhere.
  const isRead = Object.keys(body ?? {}).length > 0 || headers.get('content-length') === '2';
  return isRead ? body : undefined;
}

function bodyOf(read: unknown, request: NodeRequest, headers: Headers): Body | undefined {
  if (read !== undefined) return rebuiltBody(read, headers);
  if (Symbol.asyncIterator in request && !request.readableDidRead)
    return streamOf(request as unknown as AsyncIterable<Uint8Array>);
  const isSent = Number(headers.get('content-length')) > 0 || headers.has('transfer-encoding');
  return isSent ? refuseLost() : undefined;
}
