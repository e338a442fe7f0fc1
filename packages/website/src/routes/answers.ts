const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export const json = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...headers, 'content-type': 'application/json' } });

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
