import { siteHeaders } from '../headers.ts';
import type { Connection } from './connection.ts';

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
const isDeviceCall = (pathname: string): boolean =>
  pathname === '/omi/device' || pathname.startsWith('/omi/device/');

/** Forwards a device's call to the API. So the page calls its own origin alone, as the web app does. */
async function forward(request: Request, baseUrl: string): Promise<Response> {
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

type Handler = (request: Request) => Promise<Response>;

export type SiteOptions = {
  connection: () => Promise<Connection | undefined>;
  /** The bank's own paths. */
  bankOf: (connection: Connection, origin: string) => Handler;
  /** What answers for a file of the page. */
  file: (pathname: string) => Handler | undefined;
};

const isBank = (pathname: string): boolean =>
  pathname.startsWith('/bank/') || pathname.startsWith('/step-up/');

const json = { 'content-type': 'application/json', 'cache-control': 'no-cache' };
const text = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

const unconnected = (): Response =>
  new Response(
    'This demo bank is not connected to its service yet. Its operator runs: npx omi demo connect\n',
    {
      status: 503,
      headers: { ...text, 'retry-after': '60' },
    },
  );

const configOf = ({ baseUrl, appUrl, tenantId, tenantName }: Connection): Response =>
  new Response(
    JSON.stringify({ baseUrl, appUrl, tenantId, tenantName, hasEvents: false, hasOwnUsers: true }),
    {
      headers: json,
    },
  );

/** The whole origin of the demo bank on AWS: the page's files, the bank, and the way of its phone to the API. */
export function createSite({ connection, bankOf, file }: SiteOptions): Handler {
  let bank: { connection: Connection; handler: Handler } | undefined;

  const answer = async (request: Request): Promise<Response> => {
    const current = await connection();
    if (!current) return unconnected();
    const { pathname, origin } = new URL(request.url);
    if (isDeviceCall(pathname)) return await forward(request, current.baseUrl);
    if (isBank(pathname)) {
      // It keeps its access tokens from one request to the next.
      if (bank?.connection !== current) bank = { connection: current, handler: bankOf(current, origin) };
      return await bank.handler(request);
    }
    if (pathname === '/config.json') return configOf(current);
    const found = file(pathname);
    return found ? await found(request) : new Response('Not Found\n', { status: 404, headers: text });
  };

  return async (request) => {
    const response = await answer(request);
    for (const [name, value] of Object.entries(siteHeaders)) response.headers.set(name, value);
    return response;
  };
}
