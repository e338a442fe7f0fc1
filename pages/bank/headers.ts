import { cacheControlOf, headersFor } from '#ui/headers.ts';

export const siteHeaders = headersFor({ forms: true, ownFrame: true });

/** Only those of the phone have a hash in their names; browsers must ask for all others. */
export const siteCacheControlOf = (path: string): string =>
  cacheControlOf(path.startsWith('/phone/') ? path.slice('/phone'.length) : '/');
