import { headersFor } from '#ui/headers.ts';

/** @param tokenOrigin where the page exchanges its code for a token: the only other origin that it calls */
export const consoleHeaders = (tokenOrigin?: string): Readonly<Record<string, string>> =>
  headersFor(tokenOrigin === undefined ? {} : { tokenOrigin });

/** The calls that the page's origin passes on to the API: those of members of staff, and how a tenant presents itself. The page calls its own origin, so the API needs no CORS. */
export const forwardedToApi: readonly string[] = ['/omi/staff/*', '/omi/device/tenants/*'];
