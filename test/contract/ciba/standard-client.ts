/** The flow as `openid-client` plays it, which knows nothing of this service but its issuer. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  initiateBackchannelAuthentication,
  pollBackchannelAuthenticationGrant,
  PrivateKeyJwt,
  type TokenEndpointResponse,
} from 'openid-client';
import { challengeIdOf } from '../../../client/digests.ts';
import { bodyOf } from '../../../client/http.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice, openChallenge } from '../scenario.ts';
import { ClientRegister, newClientKeys } from './oauth-client.ts';

const resource = 'https://api.bank.example';

export function standardClient(stack: TestStack): void {
  let register: ClientRegister;
  let phone: SimulatedDevice;
  beforeAll(() => {
    register = new ClientRegister(stack);
  });

  const discovered = async (clientId: string, authentication: ClientAuth): Promise<Configuration> =>
    await discovery(new URL(stack.file.baseUrl), clientId, undefined, authentication, {
      // The local stack has no TLS.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is marked only to stand out
      execute: [allowInsecureRequests],
    });

  const withSecret = (method: (secret: string) => ClientAuth) => async () => {
    const secret = randomBytes(24).toString('base64url');
    const clientId = await register.add({ secrets: [secret], resource });
    return await discovered(clientId, method(secret));
  };
  const withKey = (alg: 'ES256' | 'RS256') => async () => {
    const keys = await newClientKeys(alg);
    const clientId = await register.add({ keys: [keys], resource });
    return await discovered(
      clientId,
      PrivateKeyJwt({ key: keys.privateKey, kid: String(keys.publicJwk['kid']) }),
    );
  };

  const ask = async (config: Configuration, parameters: Record<string, string> = {}) => {
    phone = await enrolDevice(stack.website);
    return await initiateBackchannelAuthentication(config, {
      scope: 'openid payments',
      login_hint: phone.identity.userId,
      binding_message: 'Pay 12.50 €?',
      ...parameters,
    });
  };

  const verified = async (token: string, audience: string): Promise<JWTPayload> => {
    const keySet = createRemoteJWKSet(new URL(`${stack.file.baseUrl}/oauth/jwks`));
    const options = { issuer: stack.file.baseUrl, audience, algorithms: ['ES256'] };
    return (await jwtVerify(token, keySet, options)).payload;
  };

  async function expectTokens(config: Configuration, authReqId: string, tokens: TokenEndpointResponse) {
    const { client_id: clientId } = config.clientMetadata();
    const { userId, tenantId } = phone.identity;
    const who = { sub: userId, tid: tenantId, amr: ['pop'], auth_time: expect.any(Number) };
    const { id_token: idToken = '', access_token: accessToken } = tokens;
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'openid payments' });
    expect(decodeProtectedHeader(idToken)).toMatchObject({ typ: 'JWT', alg: 'ES256' });
    expect(decodeProtectedHeader(accessToken)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    const id = await verified(idToken, clientId);
    expect(id).toMatchObject({
      ...who,
      'urn:openid:params:jwt:claim:auth_req_id': authReqId,
      omi_device_key: phone.publicJwk,
    });
    expect(Number(id.exp) - Number(id.iat)).toBe(600);
    expect(decodeJwt(String(id['omi_evidence']))).toMatchObject({
      challengeId: challengeIdOf(tenantId, authReqId),
      decision: 'confirm',
    });
    expect(await verified(accessToken, resource)).toMatchObject({
      ...who,
      client_id: clientId,
      scope: 'openid payments',
      jti: expect.any(String),
    });
  }

  describe.each([
    ['client_secret_post', withSecret(ClientSecretPost)],
    ['client_secret_basic', withSecret(ClientSecretBasic)],
    ['private_key_jwt with ES256', withKey('ES256')],
    ['private_key_jwt with RS256', withKey('RS256')],
  ] as const)('with %s', (_, configured) => {
    test('sends a request, polls until the user confirms, and gets tokens', async () => {
      const config = await configured();
      const asked = await ask(config);
      const polling = pollBackchannelAuthenticationGrant(config, asked);
      bodyOf(await phone.confirm(await openChallenge(phone)));
      await expectTokens(config, asked.auth_req_id, await polling);
    });
  });

  test('learns that the user denied', async () => {
    const config = await withKey('ES256')();
    const asked = await ask(config);
    const polling = pollBackchannelAuthenticationGrant(config, asked);
    bodyOf(await phone.deny(await openChallenge(phone)));
    await expect(polling).rejects.toMatchObject({ error: 'access_denied', status: 400 });
  });

  test('learns that the user is unknown', async () => {
    const config = await withKey('ES256')();
    await expect(ask(config, { login_hint: 'nobody' })).rejects.toMatchObject({
      error: 'unknown_user_id',
      status: 400,
    });
  });
}
