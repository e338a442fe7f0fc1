import type { IncomingMessage } from 'node:http';
import { gatewayErrors } from './errors.ts';

/** A request as an HTTP API passes it on: path and query decoded, repeated headers joined. */
export type GatewayRequest = {
  method: string;
  rawPath: string;
  rawQueryString: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  cookies: string[];
  body: Buffer;
  protocol: string;
  sourceIp: string;
};

/** Quotas of an HTTP API: "total combined size of request line and header values", "payload size". */
const LARGEST_HEAD = 10_240;
const LARGEST_BODY = 10 * 1024 * 1024;

/** @throws {GatewayError} */
export async function readGatewayRequest(incoming: IncomingMessage): Promise<GatewayRequest> {
  const { method = 'GET', url = '/' } = incoming;
  checkHead(incoming);
  const body = await readBody(incoming);
  const queryStart = url.indexOf('?');
  const rawQueryString = queryStart < 0 ? '' : url.slice(queryStart + 1);
  const { cookie, ...headers } = joinHeaders(incoming.rawHeaders);
  return {
    method,
    rawPath: decodePath(queryStart < 0 ? url : url.slice(0, queryStart)),
    rawQueryString,
    query: joinPairs(new URLSearchParams(rawQueryString)),
    headers,
    cookies: cookie === undefined ? [] : cookie.split(/; */),
    body,
    protocol: `HTTP/${incoming.httpVersion}`,
    sourceIp: (incoming.socket.remoteAddress ?? '').replace('::ffff:', ''),
  };
}

function checkHead({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): void {
  const requestLine = `${method} ${url} HTTP/${httpVersion}`;
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  const size = [requestLine, ...values].reduce((sum, part) => sum + Buffer.byteLength(part, 'latin1'), 0);
  if (size > LARGEST_HEAD) throw gatewayErrors.headersTooLarge();
}

/** Also reads a body that is too large to its end: a client that is still sending would not read the response. */
async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) chunks = [];
    else chunks.push(chunk);
  }
  if (size > LARGEST_BODY) throw gatewayErrors.tooLarge();
  return Buffer.concat(chunks);
}

/** An HTTP API decodes the path, and cuts it at a decoded question mark. */
function decodePath(path: string): string {
  try {
    const [decoded = ''] = decodeURIComponent(path).split('?');
    return decoded;
  } catch {
    throw gatewayErrors.badRequest();
  }
}

/** Headers by lower-case name. From the raw ones, because Node drops some repeated headers and an HTTP API joins them. */
function joinHeaders(raw: readonly string[]): Record<string, string> {
  const pairs = raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? '']] : [],
  );
  return joinPairs(pairs.filter(([name]) => !HOP_HEADERS.has(name)));
}

function joinPairs(pairs: Iterable<[string, string]>): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const earlier = joined.get(name);
    joined.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(joined);
}

/** Headers of one connection (RFC 9110, section 7.6.1). */
const HOP_HEADERS = new Set([
  'connection',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
