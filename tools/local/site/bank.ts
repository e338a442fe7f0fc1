import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { memoryStore, Omi } from '#website';
import { memoryAccounts } from '../../../pages/bank/server/account-store.ts';
import { createBank } from '../../../pages/bank/server/bank.ts';
import { type EventFeed, LiveFeed } from '../../../pages/bank/server/live/live-feed.ts';

export type Credentials = { clientId: string; clientSecret: string };

export type LocalBankOptions = {
  /** The origin of its pages. */
  origin: string;
  /** The base URL, and where it is on loopback: a proxy may be in front of it. */
  api: { url: string; address: string };
  tokenUrl: string;
  tenantId: string;
  client: Credentials;
  /** The client with number matching. */
  clientForLimits: Credentials;
  events: EventFeed;
  log: (line: string) => void;
};

/** The demo bank of the local stack. Its accounts and sessions end with the stack. */
export function localBank(options: LocalBankOptions): RequestListener {
  const { origin, api, tokenUrl, tenantId, client, clientForLimits, events, log } = options;
  const live = new LiveFeed({ events });
  const fetch = live.recording(api.url, throughAddress(api));
  const omiOf = (credentials: Credentials): Omi =>
    new Omi({ baseUrl: api.url, tokenUrl, tenantId, ...credentials, fetch });
  const bank = createBank({
    origin,
    omi: omiOf(client),
    omiForLimits: omiOf(clientForLimits),
    store: memoryStore(),
    accounts: memoryAccounts(),
    live,
    onError: (error) => log(`The demo bank failed: ${String(error)}`),
  });
  const listener = getRequestListener(bank, { overrideGlobalObjects: false });
  // The bank answers its faults itself; what remains is a browser that went away.
  return (request, response) => void listener(request, response).catch(() => response.destroy());
}

/** Calls of the API stay on this machine, also where its base URL is that of a proxy. */
function throughAddress({ url, address }: LocalBankOptions['api']): typeof globalThis.fetch {
  if (url === address) return globalThis.fetch;
  return async (input, init) =>
    await globalThis.fetch(
      typeof input === 'string' && input.startsWith(url) ? address + input.slice(url.length) : input,
      init,
    );
}
