import { goBackHash } from './without-script.ts';

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export const json = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...headers, 'content-type': 'application/json' } });

/** A page that runs nothing but the way back, and has no style or anything from elsewhere. */
export const htmlPage = (status: number, html: string): Response =>
  new Response(html, {
    status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src '${goBackHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      vary: 'sec-fetch-mode, accept-language',
    },
  });

export const noContent = (): Response => new Response(null, { status: 204, headers });

/** A problem document (RFC 9457). */
export const problem = (
  status: number,
  code: string,
  detail: string,
  more: Record<string, string> = {},
): Response =>
  new Response(JSON.stringify({ status, code, detail }), {
    status,
    headers: { ...headers, 'content-type': 'application/problem+json', ...more },
  });
