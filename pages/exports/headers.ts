import { cacheControlOf, contentTypeOf, securityHeaders as appHeaders } from '../app/headers.ts';

/**
 * HTTP headers of the exports page's origin, the same on the local stack and on AWS. It needs less than the web app: no camera,
 * no passkeys, no service worker, and no script URL.
 */

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** On every answer of the page's origin: page, assets and `/config.json`. */
export const exportsPageHeaders: Readonly<Record<string, string>> = {
  ...appHeaders,
  'Content-Security-Policy': contentSecurityPolicy,
  'Permissions-Policy': (appHeaders['Permissions-Policy'] ?? '').replaceAll('=(self)', '=()'),
};

/** The calls that the page's origin passes on to the API. The page calls its own origin alone, so the API needs no CORS. */
export const forwardedToApi: readonly string[] = ['/omi/exports', '/omi/exports/*'];

export { cacheControlOf, contentTypeOf };
