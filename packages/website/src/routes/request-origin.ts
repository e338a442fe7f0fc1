import type { RequestOrigin } from '../types.ts';
import { readUserAgent } from '../user-agent.ts';

/**
 * Where a request of a page comes from, from its `User-Agent`, such as "Firefox on Windows". Without an IP address:
 * behind a proxy it would be the proxy's.
 */
export function requestOriginOf({ headers }: Pick<Request, 'headers'>): RequestOrigin | undefined {
  const { browser, system } = readUserAgent(headers.get('user-agent') ?? '');
  if (browser === undefined) return undefined;
  return { browser: system === undefined ? browser : `${browser} on ${system}` };
}
