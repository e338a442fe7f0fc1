import * as v from 'valibot';
import { DocumentUnavailable, type FetchDocument } from './fetch-document.ts';

/** The members that matter here of OpenID Connect Discovery 1.0, section 3. */
const discoveryDocument = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ issuer: v.string(), jwks_uri: v.string() }),
);

/** OpenID Connect Discovery 1.0, section 4.1: a slash at the issuer's end goes first. */
const discoveryUrl = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/**
 * Asks the issuer where its signing keys are.
 *
 * @throws {DocumentUnavailable} also when the document is another issuer's (section 4.3)
 */
export async function discoverKeySetUrl(issuer: string, fetchDocument: FetchDocument): Promise<string> {
  const address = discoveryUrl(issuer);
  const text = new TextDecoder().decode(await fetchDocument(address));
  const result = v.safeParse(discoveryDocument, text);
  if (!result.success) throw new DocumentUnavailable(`${address} is no discovery document`);
  if (result.output.issuer !== issuer) throw new DocumentUnavailable(`${address} is of another issuer`);
  return result.output.jwks_uri;
}
