import { headersFor } from '#ui/headers.ts';

/** @param tokenOrigin where the page exchanges a code for a token, if people sign in there: the only other origin that it calls */
export const exportsPageHeaders = (tokenOrigin?: string): Readonly<Record<string, string>> =>
  headersFor(tokenOrigin === undefined ? {} : { tokenOrigin });

/** The calls that the page's origin passes on to the API: the exports, and how the tenant presents itself. The page calls its own origin alone, so the API needs no CORS. */
export const forwardedToApi: readonly string[] = ['/omi/exports', '/omi/exports/*', '/omi/device/tenants/*'];
