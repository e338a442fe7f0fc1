import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import { transportRules } from '../omi/connection.ts';
import { once } from '../omi/once.ts';

export type ResourceServer = {
  /** Who makes the access tokens. */
  issuer: string;
  /** The URL of this server, as clients name it: the audience of their tokens. */
  resource: string;
};

/** The token says nothing that this server accepts. */
export class InvalidToken extends Error {}

/** Signatures by public keys alone. */
const algorithms = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA'];

/** The keys could not be read, which says nothing about the token. */
const faultsOfKeys = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

async function metadataOf(issuer: string): Promise<oidc.ServerMetadata> {
  const url = new URL(issuer);
  const discover = async (algorithm: 'oidc' | 'oauth2') =>
    (
      await oidc.discovery(url, 'mcp', undefined, oidc.None(), { ...transportRules(url), algorithm })
    ).serverMetadata();
  try {
    return await discover('oidc');
  } catch {
    return await discover('oauth2');
  }
}

async function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  const { jwks_uri: uri } = await metadataOf(issuer);
  if (uri === undefined) throw new Error('The issuer of the access tokens names no keys.');
  return createRemoteJWKSet(new URL(uri));
}

/**
 * Returns a function that gives the user of an access token.
 *
 * @throws {InvalidToken} of this function; another error if the keys cannot be read
 */
export function accessTokens({ issuer, resource }: ResourceServer): (token: string) => Promise<string> {
  const keys = once(async () => await keysOf(issuer));
  const rules = { issuer, audience: resource, algorithms, requiredClaims: ['exp', 'sub'] };
  return async (token) => {
    const keySet = await keys();
    try {
      const { sub } = (await jwtVerify(token, keySet, rules)).payload;
      if (sub === undefined || sub === '') throw new InvalidToken('The token names no user.');
      return sub;
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || faultsOfKeys.has(error.code)) throw error;
      throw new InvalidToken('The token is not valid.', { cause: error });
    }
  };
}
