import { isJwk, type Jwk, type Jwks, type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { Json } from 'aws-jwt-verify/safe-json-parse';
import * as v from 'valibot';
import { DocumentUnavailable, type FetchDocument } from './fetch-document.ts';

/** The members of OpenID Connect Discovery 1.0, section 3, that are used here. */
const discoveryDocument = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ issuer: v.string(), jwks_uri: v.string() }),
);

/** OpenID Connect Discovery 1.0, section 4.1: a slash at the end of the issuer is removed. */
const discoveryUrl = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/**
 * Finds the address of the issuer's signing keys.
 *
 * @throws {DocumentUnavailable} also if the document belongs to another issuer (section 4.3)
 */
async function discoverKeySetUrl(issuer: string, fetchDocument: FetchDocument): Promise<string> {
  const address = discoveryUrl(issuer);
  const text = new TextDecoder().decode(await fetchDocument(address));
  const result = v.safeParse(discoveryDocument, text);
  if (!result.success) throw new DocumentUnavailable(`${address} is not a discovery document`);
  if (result.output.issuer !== issuer) throw new DocumentUnavailable(`${address} belongs to another issuer`);
  return result.output.jwks_uri;
}

const keySet = v.pipe(v.string(), v.parseJson(), v.object({ keys: v.array(v.unknown()) }));

/** RFC 7518 and RFC 8037: an elliptic curve has one algorithm; RSA has several. */
const algorithmOfCurve = new Map([
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
  ['P-521', 'ES512'],
  ['Ed25519', 'EdDSA'],
  ['Ed448', 'EdDSA'],
]);

/**
 * The key, or none if it cannot verify signatures (RFC 7517, section 5: ignore such keys). A key without `alg` gets the
 * algorithm of its curve; otherwise the token's header would choose.
 */
function usableKey(key: Json): Jwk[] {
  if (!isJwk(key) || (key.use ?? 'sig') !== 'sig') return [];
  if (key.kty === 'RSA') return [key];
  const alg = algorithmOfCurve.get(key.crv ?? '');
  return (key.kty === 'EC' || key.kty === 'OKP') && alg !== undefined ? [{ alg, ...key }] : [];
}

function parseKeySet(document: ArrayBuffer): Jwks {
  const result = v.safeParse(keySet, new TextDecoder().decode(document));
  if (!result.success) throw new DocumentUnavailable('The key set of the issuer is malformed');
  return { keys: (result.output.keys as Json[]).flatMap(usableKey) };
}

/** The keys of an issuer whose key set has the address that the library expects. */
export const keysAtUrl = (fetchDocument: FetchDocument): JwksCache =>
  new SimpleJwksCache({ fetcher: { fetch: fetchDocument }, jwksParser: parseKeySet });

/** The keys of one issuer, at the address in its discovery document. After a failure the document is read again. */
export function discoveredKeys(issuer: string, fetchDocument: FetchDocument): JwksCache {
  let discovered: Promise<string> | undefined;
  const fetch = async (): Promise<ArrayBuffer> => {
    try {
      discovered ??= discoverKeySetUrl(issuer, fetchDocument);
      return await fetchDocument(await discovered);
    } catch (error) {
      discovered = undefined;
      throw error;
    }
  };
  return new SimpleJwksCache({ fetcher: { fetch }, jwksParser: parseKeySet });
}
