import type { Handler } from './handler.ts';
import type { RoutesOptions } from './options.ts';
import { Refused } from './refused.ts';
import { ownerOf, type Session, signedIn } from './session.ts';
import { readAtMost } from '../../../http/src/exchange.ts';

const largestBodyBytes = 64 * 1024;

/** The same request with its body read, so that several readers may each read a clone. */
async function withBody(request: Request): Promise<Request> {
  const { url, method, headers, signal } = request;
  const body = await readAtMost(largestBodyBytes, request);
  if (!body) throw new Refused(413, 'too-large', 'The body is too large.');
  return new Request(url, { method, headers, signal, ...(body.length > 0 && { body }) });
}

/** A request of the website's page, by somebody who is signed in. */
export type PageCall<Signed extends Session> = {
  request: Request;
  session: Signed;
  /** Session and user, as the store knows them. */
  owner: string;
  id: string;
};

/** Makes handlers that serve the website's own page alone, and only for somebody who is signed in. */
export function pageHandlers<Signed extends Session, Native>({
  session,
  origin,
}: RoutesOptions<Signed, Native>) {
  const origins = typeof origin === 'string' ? [origin] : origin;
  return (answer: (call: PageCall<Signed>) => Promise<Response>): Handler<Native> =>
    async (request, id, native) => {
      checkPage(request, origins);
      const signed = signedIn(await session(request, native));
      const owner = await ownerOf(signed);
      return await answer({ request: await withBody(request), session: signed, owner, id });
    };
}

/**
 * Forms and simple requests of other sites cannot send the header `Omi-Page`. For any other request of theirs, the browser asks
 * first (CORS), and the routes never agree.
 */
function checkPage({ url, headers }: Request, origins: readonly string[] = [new URL(url).origin]): void {
  if (headers.get('omi-page') !== '1') throw crossSite('The header Omi-Page: 1 is missing.');
  const site = headers.get('sec-fetch-site');
  if ((site ?? 'same-origin') !== 'same-origin') throw crossSite('The request comes from another site.');
  const origin = headers.get('origin');
  // A page with the policy `no-referrer` sends the origin `null`; no frame of another origin can claim this site.
  const isOwn = origin === null || origins.includes(origin) || (origin === 'null' && site === 'same-origin');
  if (!isOwn)
    throw crossSite(
      'The header Origin names another origin. Behind a proxy, the option `origin` names yours.',
    );
}

const crossSite = (detail: string): Refused => new Refused(403, 'cross-site-request', detail);
