import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

/** API Gateway waits 10 s for an authorizer, which may need two documents with two attempts each, and one read. */
const timeLimitMs = 1_500;
/** Key sets take a few kilobytes. */
const sizeLimitBytes = 256 * 1024;

/** A document of the token issuer could not be read. The caller is not at fault. */
export class DocumentUnavailable extends Error {
  override readonly name = 'DocumentUnavailable';
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** An attacker who can change these documents can make valid tokens, so plain HTTP is only for loopback. */
export function trustworthyUrl(address: string): URL {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && isLoopback(url.hostname)) return url;
  throw new DocumentUnavailable(`${address} is not an https URL (http is only for loopback hosts)`);
}

/** Without keep-alive: fetches are minutes apart, and a kept connection could be closed by then. */
async function request(url: URL): Promise<IncomingMessage> {
  const { get } = url.protocol === 'https:' ? https : http;
  const options = {
    agent: false,
    signal: AbortSignal.timeout(timeLimitMs),
    headers: { accept: 'application/json' },
  };
  return await new Promise((resolve, reject) => {
    get(url, options, resolve).on('error', reject);
  });
}

async function readBody(response: IncomingMessage): Promise<ArrayBuffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > sizeLimitBytes) throw new Error(`longer than ${sizeLimitBytes} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}

async function fetchOnce(url: URL): Promise<ArrayBuffer> {
  const response = await request(url);
  if (response.statusCode === 200) return await readBody(response);
  response.destroy();
  // In the form of the AWS SDK, so that faults of the issuer are recognised as faults of a dependency.
  const $metadata = { httpStatusCode: response.statusCode };
  throw Object.assign(new Error(`status ${response.statusCode ?? 'unknown'}`), { $metadata });
}

/**
 * Gets a public document of the issuer, with one immediate retry. Redirects are not followed.
 *
 * @throws {DocumentUnavailable}
 */
export async function fetchDocument(address: string): Promise<ArrayBuffer> {
  const url = trustworthyUrl(address);
  try {
    return await fetchOnce(url).catch(async () => await fetchOnce(url));
  } catch (error) {
    throw new DocumentUnavailable(`${address} could not be read`, { cause: error });
  }
}

export type FetchDocument = typeof fetchDocument;
