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
export async function discoverKeySetUrl(issuer: string, fetchDocument: FetchDocument): Promise<string> {
  const address = discoveryUrl(issuer);
  const text = new TextDecoder().decode(await fetchDocument(address));
  const result = v.safeParse(discoveryDocument, text);
  if (!result.success) throw new DocumentUnavailable(`${address} is not a discovery document`);
  if (result.output.issuer !== issuer) throw new DocumentUnavailable(`${address} belongs to another issuer`);
  return result.output.jwks_uri;
}
