/**
 * The refusals that the OpenID Foundation's conformance suite for FAPI-CIBA asks for, by the names of its modules (FAPI-CIBA-ID1, without
 * the part Ensure and without the modules of single ecosystems). docs/ciba.md says which modules are met.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { newUser } from '../scenario.ts';
import { FapiClient, inSeconds, type Deviation } from './fapi-client.ts';
import { expectOAuthError, grantType, newClientKeys, type ClientKeys } from './oauth-client.ts';

type Module = [name: string, deviation: (now: number) => Deviation];

export function fapiConformance(stack: TestStack): void {
  let client: FapiClient;
  let other: FapiClient;
  let rsa: ClientKeys;
  beforeAll(async () => {
    [client, other, rsa] = [
      await FapiClient.open(stack),
      await FapiClient.open(stack),
      await newClientKeys('RS256'),
    ];
  });

  const hint = () => ({ login_hint: newUser() });

  describe('a request object', () => {
    const modules: Module[] = [
      ['RequestObjectMissingAudFails', () => ({ claims: { aud: undefined } })],
      ['RequestObjectBadAudFails', () => ({ claims: { aud: `${stack.file.baseUrl}/bad` } })],
      ['RequestObjectMissingIssFails', () => ({ claims: { iss: undefined } })],
      ['RequestObjectBadIssFails', () => ({ claims: { iss: `${client.clientId}1` } })],
      ['RequestObjectMissingExpFails', () => ({ claims: { exp: undefined } })],
      ['RequestObjectExpiredExpFails', (now) => ({ claims: { exp: now - 300 } })],
      ['RequestObjectExpIs70MinutesInFutureFails', (now) => ({ claims: { exp: now + 70 * 60 } })],
      ['RequestObjectMissingIatFails', () => ({ claims: { iat: undefined } })],
      ['RequestObjectMissingNbfFails', () => ({ claims: { nbf: undefined } })],
      [
        'RequestObjectNbfIs10MinutesInFutureFails',
        (now) => ({ claims: { nbf: now + 10 * 60, exp: now + 15 * 60 } }),
      ],
      ['RequestObjectNbfIs70MinutesInPastFails', (now) => ({ claims: { nbf: now - 70 * 60 } })],
      ['RequestObjectMissingJtiFails', () => ({ claims: { jti: undefined } })],
      [
        'RequestObjectSignatureAlgorithmIsRS256Fails',
        () => ({ header: { alg: 'RS256' }, key: rsa.privateKey }),
      ],
      ['RequestObjectSignedByOtherClientFails', () => ({ key: other.keys.privateKey })],
    ];
    test.each(modules)('is refused: %s', async (_, deviation) => {
      const request = await client.signed(hint(), deviation(inSeconds()));
      expectOAuthError(await client.authorize(request), 'invalid_request');
    });

    test('is refused: RequestObjectSignatureAlgorithmIsNoneFails', async () => {
      const [, payload = ''] = (await client.signed(hint())).split('.');
      const header = Buffer.from('{"alg":"none"}').toString('base64url');
      expectOAuthError(await client.authorize(`${header}.${payload}.`), 'invalid_request');
    });

    test('is refused: RequestObjectSignatureAlgorithmIsBadFails', async () => {
      const [header = '', payload = '', signature = ''] = (await client.signed(hint())).split('.');
      const bytes = Buffer.from(signature, 'base64url').map((byte) => byte ^ 0x5a);
      const request = [header, payload, Buffer.from(bytes).toString('base64url')].join('.');
      expectOAuthError(await client.authorize(request), 'invalid_request');
    });

    test('is refused: AuthorizationRequestWithMultipleHintsFails', async () => {
      const request = await client.signed({ ...hint(), login_hint_token: 'a.b.c' });
      expectOAuthError(await client.authorize(request), 'invalid_request');
    });

    test('is needed: BackchannelAuthorizationRequestWithoutRequestFails', async () => {
      const form = { ...(await client.authenticated()), scope: 'openid', ...hint() };
      expectOAuthError(await client.post('/bc-authorize', form), 'invalid_request');
    });

    test('may have its expiry as text: RequestedExpiryAsStringSucceeds', async () => {
      const request = await client.signed({ ...hint(), requested_expiry: '60' });
      expectOAuthError(await client.authorize(request), 'unknown_user_id');
    });
  });

  describe('a client', () => {
    const forms = {
      '/bc-authorize': async () => ({ request: await client.signed(hint()) }),
      '/oauth/token': async () => await Promise.resolve({ grant_type: grantType, auth_req_id: 'none' }),
    };
    const endpoints = Object.entries(forms);

    test.each(endpoints)('is refused at %s: WithoutClientAssertion…Fails', async (path, form) => {
      const { clientId: client_id } = client;
      const answer = await client.post(
        path,
        { ...(await form()), client_id },
        { dpop: await client.proof() },
      );
      expectOAuthError(answer, 'invalid_client', 401);
    });

    test.each(endpoints)(
      'is refused at %s: ClientAssertionSignatureAlgorithmIn…RequestIsRS256Fails',
      async (path, form) => {
        const body = { ...(await form()), ...(await client.authenticated({}, rsa)) };
        const answer = await client.post(path, body, { dpop: await client.proof() });
        expectOAuthError(answer, 'invalid_client', 401);
      },
    );

    test.each(endpoints)('is refused at %s: WrongClientIdIn…Request', async (path, form) => {
      const body = { ...(await form()), ...(await client.authenticated()), client_id: other.clientId };
      const answer = await client.post(path, body, { dpop: await client.proof() });
      expect([400, 401]).toContain(answer.status);
      expect(answer.body).not.toHaveProperty('auth_req_id');
    });

    test('may name the issuer in its assertion: ClientAssertionWithIssAudToTokenEndpointSucceeds', async () => {
      expectOAuthError(await client.poll('none', await client.proof()), 'invalid_grant');
    });

    test('gets nothing for an id that it was not given: WrongAuthenticationRequestIdInTokenEndpointRequest', async () => {
      expectOAuthError(await client.poll('a'.repeat(43), await client.proof()), 'invalid_grant');
    });
  });
}
