import { generateKeyPairSync, randomUUID, type JsonWebKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import * as v from 'valibot';
import { type Answer, exchange } from './http.ts';

const metadataSchema = v.looseObject({
  issuer: v.string(),
  jwks_uri: v.string(),
  token_endpoint: v.string(),
  backchannel_authentication_endpoint: v.string(),
});
export type ProviderMetadata = v.InferOutput<typeof metadataSchema>;

const acknowledgementSchema = v.looseObject({
  auth_req_id: v.string(),
  expires_in: v.number(),
  interval: v.optional(v.number(), 5),
});
export type Acknowledgement = v.InferOutput<typeof acknowledgementSchema>;

const tokensSchema = v.looseObject({
  access_token: v.string(),
  id_token: v.string(),
  token_type: v.string(),
});
export type Tokens = v.InferOutput<typeof tokensSchema>;

const errorSchema = v.object({ error: v.string(), error_description: v.optional(v.string()) });

/** Reads the discovery document of an issuer. */
export async function discover(issuer: string): Promise<Answer<ProviderMetadata>> {
  return await exchange({ method: 'GET', url: `${issuer}/.well-known/openid-configuration` }, metadataSchema);
}

/** The error code of a refusal by an OAuth endpoint (RFC 6749, section 5.2). */
export function oauthErrorOf({ text }: Pick<Answer<unknown>, 'text'>): string | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), errorSchema), text);
  return result.success ? result.output.error : undefined;
}

/** A client of the OpenID Connect endpoints with a key of its own. It returns raw answers. */
export class CibaClient {
  readonly publicJwk: JsonWebKey;
  /** The ids of the assertions that it signed. */
  readonly assertionIds: string[] = [];
  readonly #privateKey: KeyObject;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.publicJwk = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
  }

  async ask(
    provider: ProviderMetadata,
    clientId: string,
    parameters: Record<string, string>,
  ): Promise<Answer<Acknowledgement>> {
    const url = provider.backchannel_authentication_endpoint;
    return await this.#post(url, { provider, clientId, parameters }, acknowledgementSchema);
  }

  async redeem(provider: ProviderMetadata, clientId: string, authReqId: string): Promise<Answer<Tokens>> {
    const parameters = { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: authReqId };
    return await this.#post(provider.token_endpoint, { provider, clientId, parameters }, tokensSchema);
  }

  async #post<Body>(
    url: string,
    call: { provider: ProviderMetadata; clientId: string; parameters: Record<string, string> },
    success: v.GenericSchema<unknown, Body>,
  ): Promise<Answer<Body>> {
    const form = new URLSearchParams({
      ...call.parameters,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await this.#assertion(call.provider.issuer, call.clientId),
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return await exchange({ method: 'POST', url, headers, body: form.toString() }, success);
  }

  async #assertion(audience: string, clientId: string): Promise<string> {
    const jti = randomUUID();
    this.assertionIds.push(jti);
    return await new SignJWT({ jti })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(this.#privateKey);
  }
}
