import type { RequestListener } from 'node:http';
import { forwardedToApi } from '../../../pages/app/headers.ts';
import { siteCacheControlOf, siteHeaders } from '../../../pages/bank/headers.ts';
import { localHeadersOf, type OriginFiles, readOriginFiles } from '../origin/origin-files.ts';
import { type OriginServer, type Served, startOriginServer } from '../origin/origin-server.ts';

export type SiteServerOptions = {
  /** 0 for any free port. */
  port: number;
  /** The API at its loopback address: the phone in the page calls it at the page's own origin. */
  apiUrl: string;
};

/** What the page must know of its stack. */
export type SiteConfig = {
  baseUrl: string;
  appUrl: string;
  /** Where tenants see and steer their exports. Missing if the stage has no such page. */
  exportsUrl?: string;
  tenantId: string;
  tenantName: string;
  /** Whether the live view has the events of the tenant's stream. */
  hasEvents: boolean;
  /** Whether each browser has users of its own, as on the Internet. */
  hasOwnUsers: boolean;
};

const headers = localHeadersOf(siteHeaders);

/** The demo bank's origin. */
export const startSiteServer = async ({ port, apiUrl }: SiteServerOptions): Promise<OriginServer> =>
  await startOriginServer({
    port,
    apiUrl,
    headers,
    // Those of the phone in the page.
    forwarded: forwardedToApi,
  });

export const readSiteFiles = async (directory: string, config: SiteConfig): Promise<OriginFiles> =>
  await readOriginFiles(directory, { config, headers, cacheControlOf: siteCacheControlOf, pages: ['/'] });

/** The bank's own paths, with the headers of its origin. */
export const programOf = (bank: RequestListener): NonNullable<Served['program']> => ({
  isFor: (pathname) => pathname.startsWith('/bank/') || pathname.startsWith('/step-up/'),
  listener: (request, response) => {
    response.setHeaders(new Map(Object.entries(headers)));
    bank(request, response);
  },
});
