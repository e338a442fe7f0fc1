import { Unauthenticated } from './unauthenticated.ts';

/**
 * The token of an `Authorization` header. RFC 6750, section 2.1: one token after the scheme, whose letters may have any case.
 *
 * @throws {Unauthenticated}
 */
export function bearerToken(header = ''): string {
  const token = /^bearer +([\w\-.~+/]+=*)$/i.exec(header)?.[1];
  if (token === undefined) throw new Unauthenticated('no-bearer-token');
  return token;
}
