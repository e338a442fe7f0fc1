/**
 * HTTP headers of the web app's origin. The local server and CloudFront both send these, so that what is tested in a browser
 * is what is deployed.
 */

/** The app makes its one script URL, that of the service worker, by this Trusted Types policy. Nothing else may make any. */
export const TRUSTED_TYPES_POLICY = 'omi-service-worker';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${TRUSTED_TYPES_POLICY}`,
].join('; ');

const permissionsPolicy = [
  'camera=(self)',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
  ...['accelerometer', 'autoplay', 'display-capture', 'geolocation', 'gyroscope', 'hid'],
  ...[
    'idle-detection',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ],
]
  .map((feature) => (feature.includes('=') ? feature : `${feature}=()`))
  .join(', ');

/** On every answer of the app's origin: pages, assets and `/config.json`. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': permissionsPolicy,
  'Referrer-Policy': 'no-referrer',
  // Browsers ignore it on http://localhost.
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** The calls of devices, which the app's origin passes on to the API. The first is also the call that removes the device. */
export const forwardedToApi: readonly string[] = ['/omi/device', '/omi/device/*'];

/** The build puts a hash of the content into the names of these files. */
const HASHED = '/assets/';

/** A changed asset has another name. All other files keep their names, so browsers must ask for them again. */
export const cacheControlOf = (path: string): string =>
  path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache';

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
};

/** With `nosniff`, a browser takes a file only by this type. */
export const contentTypeOf = (path: string): string =>
  contentTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** The paths that answer with `index.html`. Everything after `#` is the app's own. */
export const pages: readonly string[] = ['/', '/enrol'];
