import { headersFor } from '#ui/headers.ts';

export const siteHeaders = headersFor({ forms: true, ownFrame: true });

/** No file has a hash in its name, so browsers must always ask. */
export const siteCacheControl = 'no-cache';
