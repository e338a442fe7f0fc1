/** A client with the profile fapi: signed requests, its issuer as the one audience, and access tokens that are bound to a key. */
import { beforeAll, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, decodeJwt, generateKeyPair } from 'jose';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice, newUser, openChallenge } from '../scenario.ts';
import { succeeded } from '../expectations.ts';
import { FapiClient, inSeconds, type Deviation } from './fapi-client.ts';
import { expectOAuthError, type Started } from './oauth-client.ts';

export function fapi(stack: TestStack): void {
  let client: FapiClient;
  beforeAll(async () => {
    client = await FapiClient.open(stack);
  });

  const start = async (phone: SimulatedDevice, parameters: object = {}): Promise<Started> => {
    const { status, body } = await client.authorize(
      await client.signed({ login_hint: phone.identity.userId, ...parameters }),
    );
    expect([status, body['error_description']]).toEqual([200, undefined]);
    return body as Started;
  };

  test('asks by a signed request, and gets an access token that is bound to its key', async () => {
    const phone = await enrolDevice(stack.website);
    const details = [{ type: 'payment', amount: 12.5 }];
    const asked = { binding_message: 'Pay 12.50 €?', authorization_details: details, requested_expiry: 60 };
    const { auth_req_id: id, expires_in: expiresIn } = await start(phone, asked);
    expect(expiresIn).toBe(60);
    const challenge = await openChallenge(phone);
    expect(challenge).toMatchObject({ message: 'Pay 12.50 €?', details: JSON.stringify(details) });
    expectOAuthError(await client.poll(id, await client.proof()), 'authorization_pending');
    succeeded(await phone.confirm(challenge), 200);
    expectOAuthError(await client.poll(id), 'invalid_dpop_proof');
    const { status, body } = await client.poll(id, await client.proof());
    expect([status, body['token_type']]).toEqual([200, 'DPoP']);
    expect(decodeJwt(String(body['access_token']))).toMatchObject({
      cnf: { jkt: await calculateJwkThumbprint(client.proofKeys.jwk) },
      authorization_details: details,
    });
  });

  test('is refused without a signed request, and with parameters beside it', async () => {
    const hint = { login_hint: newUser() };
    const unsigned = { ...(await client.authenticated()), scope: 'openid', ...hint };
    expectOAuthError(await client.post('/bc-authorize', unsigned), 'invalid_request');
    const request = await client.signed(hint);
    for (const name of ['login_hint', 'scope', 'binding_message'])
      expectOAuthError(await client.authorize(request, { [name]: 'openid' }), 'invalid_request');
    expectOAuthError(await client.authorize(request, { client_id: client.clientId }), 'unknown_user_id');
  });

  test.each<[what: string, (now: number) => Promise<Deviation> | Deviation]>([
    [
      'for an endpoint in place of the issuer',
      () => ({ claims: { aud: `${stack.file.baseUrl}/bc-authorize` } }),
    ],
    ['that is valid for longer than an hour', (now) => ({ claims: { exp: now + 3_700 } })],
    ['with critical headers', () => ({ header: { crit: ['b64'], b64: true } })],
  ])('refuses a request %s', async (_, deviation) => {
    const request = await client.signed({ login_hint: newUser() }, await deviation(inSeconds()));
    expectOAuthError(await client.authorize(request), 'invalid_request');
  });

  test('refuses a proof that another key has signed, and uses one once', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    expectOAuthError(
      await client.poll('none', await client.proof({ key: privateKey })),
      'invalid_dpop_proof',
    );
    const once = await client.proof();
    expectOAuthError(await client.poll('none', once), 'invalid_grant');
    expectOAuthError(await client.poll('none', once), 'invalid_dpop_proof');
  });
}
