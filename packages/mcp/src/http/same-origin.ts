import type { RequestHandler } from 'express';

/** Browsers name the page's origin. A page of somebody else must not reach a server on this machine (DNS rebinding). */
export const sameOrigin =
  (resource: string): RequestHandler =>
  (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined || origin === new URL(resource).origin) next();
    else response.status(403).json({ error: 'The origin is not allowed.' });
  };
