import { contentTypeOf, securityHeaders as appHeaders } from '../app/headers.ts';

/**
 * HTTP headers of the demo bank's origin, the same on the local stack and on AWS. It needs less than the web app: no camera, no
 * passkeys, no service worker.
 */

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** On every answer of the bank's origin. */
export const siteHeaders: Readonly<Record<string, string>> = {
  ...appHeaders,
  'Content-Security-Policy': contentSecurityPolicy,
  'Permissions-Policy': (appHeaders['Permissions-Policy'] ?? '').replaceAll('=(self)', '=()'),
};

/** No file has a hash in its name, so browsers must always ask. */
export const siteCacheControl = 'no-cache';

export { contentTypeOf };
