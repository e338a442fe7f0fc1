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
};

export type OutboundAnswer = {
  status: number;
  /** `Retry-After` as it was sent. */
  retryAfter: string | undefined;
};

/** Connections are kept: the push services of the browsers have few hosts. */
const agents = {
  public: new https.Agent({ keepAlive: true }),
  local: new http.Agent({ keepAlive: true }),
};

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

function optionsFor(url: URL, localOrigin: string | undefined): https.RequestOptions {
  if (url.origin === localOrigin && url.protocol === 'http:') return { agent: agents.local };
  const host = hostOf(url);
  // Node.js looks up names only.
  if (url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host)))
    throw new NotPublic('Expected an https URL of a host on the public internet.');
  return { agent: agents.public, lookup: publicLookup };
}

/**
 * Posts to a host that others have chosen, which must be on the public internet. It follows no redirect, and ignores the body
 * of the answer.
 */
export async function post(outbound: OutboundRequest): Promise<OutboundAnswer> {
  const { url, headers, body, signal, localOrigin } = outbound;
  const options = { ...optionsFor(url, localOrigin), method: 'POST', headers, signal };
  const { request } = url.protocol === 'https:' ? https : http;
  return await new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      response.on('error', () => undefined).resume();
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
    });
    call.on('error', reject);
    call.end(body);
  });
}
