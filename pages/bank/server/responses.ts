const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };

export const json = (body: unknown): Response => new Response(JSON.stringify(body), { headers });

export const noContent = (cookie: string): Response =>
  new Response(null, { status: 204, headers: { 'cache-control': 'no-store', 'set-cookie': cookie } });
