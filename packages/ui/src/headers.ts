/**
 * HTTP headers of a page's origin. The local servers and CloudFront both send them, so that what is tested in a browser is what
 * is deployed.
 */

/** What a page uses besides its own scripts, styles, images and calls. All else is refused to it. */
export type PageNeeds = {
  camera?: boolean;
  passkeys?: boolean;
  /** Its forms are sent to its own origin, should its script not send them. */
  forms?: boolean;
  /** It shows a page of its own origin in a frame. No other page may show either. */
  ownFrame?: boolean;
  /** Another origin that it calls: where it exchanges a code for a token. */
  tokenOrigin?: string;
  /** It is installed, and works without a network: the Trusted Types policy that makes the URL of its service worker. */
  serviceWorker?: string;
};

/** On every answer of the origin: page, assets and configuration. */
export const headersFor = (needs: PageNeeds = {}): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': contentSecurityPolicy(needs),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': permissionsPolicy(needs),
  'Referrer-Policy': 'no-referrer',
  // Browsers ignore it on http://localhost.
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': needs.ownFrame ? 'SAMEORIGIN' : 'DENY',
});

const contentSecurityPolicy = ({ forms, ownFrame, serviceWorker, tokenOrigin }: PageNeeds): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${tokenOrigin === undefined ? '' : ` ${tokenOrigin}`}`,
    ...(ownFrame ? ["frame-src 'self'"] : []),
    ...(serviceWorker === undefined ? [] : ["manifest-src 'self'", "worker-src 'self'"]),
    "base-uri 'none'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    `frame-ancestors ${ownFrame ? "'self'" : "'none'"}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${serviceWorker ?? "'none'"}`,
  ].join('; ');

/** What no page of this service uses. */
const unused =
  'accelerometer autoplay display-capture geolocation gyroscope hid idle-detection magnetometer microphone midi payment serial usb xr-spatial-tracking';

const permissionsPolicy = ({ camera, passkeys }: PageNeeds): string =>
  [
    ['camera', camera] as const,
    ['publickey-credentials-create', passkeys] as const,
    ['publickey-credentials-get', passkeys] as const,
    ...unused.split(' ').map((feature) => [feature, false] as const),
  ]
    .map(([feature, isUsed]) => `${feature}=${isUsed ? '(self)' : '()'}`)
    .join(', ');

/** Builds put a hash of the content into the names of the files here. */
const hashedPath = '/assets/';

/** A changed asset has another name. All other files keep their names, so browsers must ask for them again. */
export const cacheControlOf = (path: string): string =>
  path.startsWith(hashedPath) ? 'public, max-age=31536000, immutable' : 'no-cache';

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
};

/** With `nosniff`, a browser takes a file only by this type. */
export const contentTypeOf = (path: string): string =>
  contentTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
