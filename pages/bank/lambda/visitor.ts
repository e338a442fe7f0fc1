import { randomBytes } from 'node:crypto';

type Handler = (request: Request) => Promise<Response>;

const cookieName = '__Host-bank-visitor';
const lifetimeSeconds = 30 * 24 * 3600;
const pattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{22})(?:;|$)`);

const visitorOf = (request: Request): string | undefined =>
  pattern.exec(request.headers.get('cookie') ?? '')?.[1];

/**
 * The user of OMI for a user of the bank and a browser. With the same users for everyone, a stranger could ask the phone of
 * another visitor, with a text of the stranger's choice.
 */
export function ofVisitor(request: Request, userId: string): string {
  const visitor = visitorOf(request);
  if (visitor === undefined) throw new Error('The request has no visitor.');
  return `${userId}.${visitor}`;
}

/** Gives each browser a random id, by which it finds its own users again. */
export function withVisitor(handler: Handler): Handler {
  return async (request) => {
    if (visitorOf(request) !== undefined) return await handler(request);
    const cookie = `${cookieName}=${randomBytes(16).toString('base64url')}`;
    const headers = new Headers(request.headers);
    headers.set('cookie', [request.headers.get('cookie'), cookie].filter((part) => part).join('; '));
    const response = await handler(new Request(request, { headers }));
    const attributes = `Path=/; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Strict; Secure`;
    response.headers.append('set-cookie', `${cookie}; ${attributes}`);
    return response;
  };
}
