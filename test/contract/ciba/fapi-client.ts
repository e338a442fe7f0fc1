/** A client with the profile fapi by hand, which can misbehave. */
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import type { TestStack } from '../../support/stack.ts';
import {
  assertionType,
  type ClientKeys,
  ClientRegister,
  grantType,
  newClientKeys,
  type OAuthAnswer,
  postForm,
  signAssertion,
} from './oauth-client.ts';

export const inSeconds = (): number => Math.floor(Date.now() / 1000);

export type Deviation = {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: CryptoKey;
};

export class FapiClient {
  readonly clientId: string;
  readonly keys: ClientKeys;
  readonly proofKeys: { privateKey: CryptoKey; jwk: object };
  readonly #stack: TestStack;

  private constructor(
    stack: TestStack,
    made: { clientId: string; keys: ClientKeys; proofKeys: { privateKey: CryptoKey; jwk: object } },
  ) {
    this.#stack = stack;
    this.clientId = made.clientId;
    this.keys = made.keys;
    this.proofKeys = made.proofKeys;
  }

  static async open(stack: TestStack): Promise<FapiClient> {
    const keys = await newClientKeys();
    const clientId = await new ClientRegister(stack).add({ keys: [keys], profile: 'fapi' });
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    return new FapiClient(stack, {
      clientId,
      keys,
      proofKeys: { privateKey, jwk: await exportJWK(publicKey) },
    });
  }

  async authenticated(claims: Record<string, unknown> = {}, keys = this.keys) {
    return {
      client_assertion_type: assertionType,
      client_assertion: await signAssertion(this.#stack, this.clientId, keys, { claims }),
    };
  }

  /** CIBA Core 1.0, section 7.1.1. */
  async signed(parameters: object, { claims, header, key = this.keys.privateKey }: Deviation = {}) {
    const now = inSeconds();
    const own = {
      iss: this.clientId,
      aud: this.#stack.file.baseUrl,
      iat: now,
      nbf: now,
      exp: now + 300,
      jti: randomUUID(),
    };
    return await new SignJWT({ scope: 'openid', ...parameters, ...own, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: String(this.keys.publicJwk['kid']), ...header })
      .sign(key);
  }

  async authorize(request: string, beside: Record<string, string> = {}): Promise<OAuthAnswer> {
    return await this.post('/bc-authorize', { ...(await this.authenticated()), request, ...beside });
  }

  /** RFC 9449, section 4.2. */
  async proof({ claims, header, key = this.proofKeys.privateKey }: Deviation = {}) {
    const htu = `${this.#stack.file.baseUrl}/oauth/token`;
    return await new SignJWT({ jti: randomUUID(), htm: 'POST', htu, iat: inSeconds(), ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: this.proofKeys.jwk, ...header })
      .sign(key);
  }

  async poll(authReqId: string, dpop?: string): Promise<OAuthAnswer> {
    const form = { ...(await this.authenticated()), grant_type: grantType, auth_req_id: authReqId };
    return await this.post('/oauth/token', form, dpop === undefined ? {} : { dpop });
  }

  async post(path: string, form: Record<string, string>, headers = {}): Promise<OAuthAnswer> {
    return await postForm(this.#stack, path, form, headers);
  }
}
