import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { NotPublic, publicLookup } from './public-lookup.ts';

export type OutboundRequest = {
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array;
  /** For the whole call. */
  signal: AbortSignal;
  /** An origin that may be on this machine and without TLS: the local stack's own. */
  localOrigin?: string | undefined;
  /** True on the local stack alone: 127.0.0.1 with any port is allowed, too, with TLS or without. */
  allowsLoopback?: boolean | undefined;
  /** Also wait for the body of the answer. */
  readsBody?: boolean | undefined;
  /** Also wait, for a moment, for the begin of the body of an answer that is no success. */
  excerptsRefusals?: boolean | undefined;
};

export type OutboundAnswer = {
  status: number;
  /** `Retry-After` as it was sent. */
  retryAfter: string | undefined;
  /** Its first 16 KB, or of a refusal its first 1 KB, if they were asked for. */
  body?: string;
};

/** Connections are kept. Agents of our own never use a proxy from the environment. */
const agents = {
  public: new https.Agent({ keepAlive: true }),
  local: new http.Agent({ keepAlive: true }),
};

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const isLocal = ({ url, localOrigin, allowsLoopback = false }: OutboundRequest): boolean =>
  url.origin === localOrigin || (allowsLoopback && url.hostname === '127.0.0.1');

function optionsFor(outbound: OutboundRequest): https.RequestOptions {
  const { url } = outbound;
  if (isLocal(outbound)) return { agent: url.protocol === 'https:' ? agents.public : agents.local };
  const host = hostOf(url);
  // Node.js looks up names only. A URL has no port if it is the protocol's own.
  const isPublic =
    url.protocol === 'https:' && url.port === '' && (isIP(host) === 0 || isPublicAddress(host));
  if (!isPublic) throw new NotPublic('Expected an https URL with port 443 of a host on the public internet.');
  return { agent: agents.public, lookup: publicLookup };
}

/** Bytes of an answer that are read, so that its connection can be used again. */
const mostReadBytes = 16 * 1024;

/** Reads the rest of a short answer, and ends the connection of a long one. */
function discard(response: http.IncomingMessage): void {
  let read = 0;
  response
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > mostReadBytes) response.destroy();
    });
}

const mostExcerptBytes = 1024;
const longestExcerptMs = 500;

/** What came of the body in a moment. The answer counts without it, so nothing here fails. */
async function excerptOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let read = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestExcerptMs);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    response.on('data', (chunk: Buffer) => {
      if (read < mostExcerptBytes) chunks.push(chunk);
      read += chunk.length;
      if (read >= mostExcerptBytes) end();
    });
    response.on('end', end).on('close', end);
  });
  return Buffer.concat(chunks).toString('utf8', 0, mostExcerptBytes);
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** The text of a short answer. A long one is cut off, and its connection ends. */
async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    read += chunk.length;
    if (read > mostReadBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, mostReadBytes);
}

/** The other side closed a connection that was kept, as after a pause of a Lambda. */
const isStale = (call: http.ClientRequest, error: NodeJS.ErrnoException): boolean =>
  call.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * Posts to a host that others have chosen, which must be on the public internet. It follows no redirect, and ignores the body
 * of the answer unless it was asked for.
 */
export async function post(outbound: OutboundRequest): Promise<OutboundAnswer> {
  const { url, headers, body, signal, readsBody = false, excerptsRefusals = false } = outbound;
  const options = { ...optionsFor(outbound), method: 'POST', headers, signal };
  const { request } = url.protocol === 'https:' ? https : http;
  return await new Promise((resolve, reject) => {
    const answered = (
      { statusCode = 0, headers: { 'retry-after': retryAfter } }: http.IncomingMessage,
      text?: string,
    ) => resolve({ status: statusCode, retryAfter, ...(text !== undefined && { body: text }) });
    const call = request(url, options, (response) => {
      if (readsBody) {
        textOf(response).then((text) => answered(response, text), reject);
        return;
      }
      discard(response);
      if (excerptsRefusals && !isSuccess(response.statusCode ?? 0))
        void excerptOf(response).then((text) => answered(response, text));
      else answered(response);
    });
    // Without a listener, Node.js never reports an answer that changes the protocol, not even to the signal.
    call.on('upgrade', (response, socket) => {
      socket.destroy();
      answered(response);
    });
    call.on('error', (error) => {
      if (isStale(call, error)) resolve(post(outbound));
      else reject(error);
    });
    call.end(body);
  });
}
