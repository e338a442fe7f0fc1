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
const largestHeadBytes = 10_240;
const largestBodyBytes = 10 * 1024 * 1024;

/** @throws {GatewayError} */
export async function readGatewayRequest(incoming: IncomingMessage): Promise<GatewayRequest> {
  const { method = 'GET', url = '/', rawHeaders, headers: parsed } = incoming;
  checkHead(incoming);
  const isSending = parsed['content-length'] !== undefined || parsed['transfer-encoding'] !== undefined;
  const body = isSending ? await readBody(incoming) : noBody;
  const queryStart = url.indexOf('?');
  const rawQueryString = queryStart < 0 ? '' : url.slice(queryStart + 1);
  const { cookie, headers } = joinHeaders(rawHeaders);
  return {
    method,
    rawPath: decodePath(queryStart < 0 ? url : url.slice(0, queryStart)),
    rawQueryString,
    query: rawQueryString === '' ? {} : joinPairs(new URLSearchParams(rawQueryString)),
    headers,
    cookies: cookie === undefined ? [] : cookie.split(/; */),
    body,
    protocol: `HTTP/${incoming.httpVersion}`,
    sourceIp: (incoming.socket.remoteAddress ?? '').replace('::ffff:', ''),
  };
}

const noBody = Buffer.alloc(0);

/** Request lines and headers are Latin-1, a byte for each character. */
function checkHead({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): void {
  let size = method.length + url.length + httpVersion.length + ' HTTP/ '.length;
  for (let index = 1; index < rawHeaders.length; index += 2) size += rawHeaders[index]?.length ?? 0;
  if (size > largestHeadBytes) throw gatewayErrors.headersTooLarge();
}

/** Also reads a body that is too large to its end: a client that is still sending would not read the response. */
async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > largestBodyBytes) chunks.length = 0;
    else chunks.push(chunk);
  });
  await new Promise<void>((resolve, reject) => {
    incoming.once('end', resolve).once('error', reject).once('close', reject);
  });
  if (size > largestBodyBytes) throw gatewayErrors.tooLarge();
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/**
 * An HTTP API decodes the path, and cuts it at a decoded question mark. What is not percent-encoded UTF-8 stays as it is: AWS
 * does not say what it makes of it.
 */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    const [decoded = ''] = decodeURIComponent(path).split('?');
    return decoded;
  } catch {
    return path;
  }
}

/** Headers by lower-case name. From the raw ones, because Node drops some repeated headers and an HTTP API joins them. */
function joinHeaders(raw: readonly string[]): { headers: Record<string, string>; cookie?: string } {
  const headers = emptyRecord();
  let cookie: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const [name, value] = [(raw[index] ?? '').toLowerCase(), raw[index + 1] ?? ''];
    if (name === 'cookie') cookie = cookie === undefined ? value : `${cookie},${value}`;
    else if (!hopHeaders.has(name)) join(headers, name, value);
  }
  return { headers, ...(cookie !== undefined && { cookie }) };
}

function joinPairs(pairs: Iterable<[string, string]>): Record<string, string> {
  const joined = emptyRecord();
  for (const [name, value] of pairs) join(joined, name, value);
  return { ...joined };
}

/** Without a prototype, whose members a caller could name. */
const emptyRecord = () => Object.create(null) as Record<string, string>;

function join(joined: Record<string, string>, name: string, value: string): void {
  const earlier = joined[name];
  joined[name] = earlier === undefined ? value : `${earlier},${value}`;
}

/** Headers of one connection (RFC 9110, section 7.6.1). */
const hopHeaders = new Set([
  'connection',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
