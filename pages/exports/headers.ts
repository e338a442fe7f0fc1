import { headersFor } from '#ui/headers.ts';

export const exportsPageHeaders = headersFor();

/** The calls that the page's origin passes on to the API. The page calls its own origin alone, so the API needs no CORS. */
export const forwardedToApi: readonly string[] = ['/omi/exports', '/omi/exports/*'];
