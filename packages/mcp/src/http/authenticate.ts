import type { Request, RequestHandler, Response } from 'express';
import { accessTokens, InvalidToken, type ResourceServer } from './access-tokens.ts';
import { metadataUrl } from './metadata.ts';

const bearer = /^Bearer +(\S+)$/i;

/** Finds out for which user a request is (RFC 6750), and tells others where to get a token (RFC 9728). */
export function authenticate(server: ResourceServer, log: (line: string) => void): RequestHandler {
  const userOf = accessTokens(server);
  const challenge = `Bearer resource_metadata="${metadataUrl(server)}"`;

  function refuse(response: Response, error?: string): void {
    const suffix = error === undefined ? '' : `, error="${error}"`;
    response
      .status(401)
      .set('WWW-Authenticate', `${challenge}${suffix}`)
      .json({ error: error ?? 'unauthorized' });
  }

  async function userIn(request: Request, response: Response): Promise<string | undefined> {
    const [, token] = bearer.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) {
      refuse(response);
      return undefined;
    }
    try {
      return await userOf(token);
    } catch (error) {
      if (error instanceof InvalidToken) refuse(response, 'invalid_token');
      else {
        log('The keys of the issuer cannot be read.');
        response.status(503).json({ error: 'temporarily_unavailable' });
      }
      return undefined;
    }
  }

  return async (request, response, next) => {
    const userId = await userIn(request, response);
    if (userId === undefined) return;
    response.locals['userId'] = userId;
    next();
  };
}

export const userOfRequest = (response: Response): string => String(response.locals['userId']);
