/** What a device sends and gets. Cookies of the bank never leave it. */
const sent = ['authorization', 'content-type', 'accept', 'user-agent'];
const answered = ['content-type', 'retry-after', 'cache-control'];

/** Milliseconds. API Gateway waits for the demo bank for 30 s. */
const limitMs = 20_000;

const copied = (headers: Headers, names: readonly string[]): Headers =>
  new Headers(
    names.flatMap((name): [string, string][] => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/** Whether the phone in the page calls the API by this path. */
export const isDeviceCall = (pathname: string): boolean =>
  pathname === '/omi/device' || pathname.startsWith('/omi/device/');

/** Forwards a device's call to the API. So the page calls its own origin alone, as the web app does. */
export async function forward(request: Request, baseUrl: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = await request.arrayBuffer();
  const answer = await fetch(`${baseUrl}${pathname}${search}`, {
    method: request.method,
    headers: copied(request.headers, sent),
    ...(body.byteLength > 0 && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(limitMs),
  });
  const content = [204, 304].includes(answer.status) ? null : await answer.arrayBuffer();
  return new Response(content, { status: answer.status, headers: copied(answer.headers, answered) });
}
