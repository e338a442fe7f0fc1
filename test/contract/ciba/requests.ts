/** The backchannel authentication endpoint: what it asks the user, and what it refuses. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { readContext } from '#device';
import { bodyOf } from '../../../client/http.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice, newUser, openChallenge, pushAndConfirm } from '../scenario.ts';
import {
  ClientRegister,
  demoClient,
  expectOAuthError,
  type OAuthClient,
  type Parameters,
  post,
  postForm,
} from './oauth-client.ts';

export function requests(stack: TestStack): void {
  let client: OAuthClient;
  let credentials: Record<string, string>;
  beforeAll(() => {
    client = demoClient(stack);
    const { clientId, clientSecret } = stack.file.tenants[0];
    credentials = { client_id: clientId, client_secret: clientSecret };
  });

  describe('what the user is shown', () => {
    test('includes where the request came from, and the ID token repeats what the device signed', async () => {
      const phone = await enrolDevice(stack.website);
      const requestedFrom = { browser: 'Firefox on Windows', place: 'Köln' };
      const { auth_req_id: id } = await client.start(phone.identity.userId, {
        request_context: JSON.stringify({ ...requestedFrom, score: { risk: 1 } }),
      });
      const challenge = await openChallenge(phone);
      expect(readContext(challenge.context).requestedFrom).toEqual(requestedFrom);
      bodyOf(await phone.confirm(challenge));
      const { body } = await client.poll(id);
      expect(decodeJwt(String(body['id_token']))['omi_context']).toBe(challenge.context);
    });

    test("is the tenant's generic text, if it has one", async () => {
      const phone = await enrolDevice(stack.website);
      const genericPushText = 'The bank asks for your confirmation';
      const own = await new ClientRegister(stack).withKeys({ settings: { genericPushText } });
      await own.start(phone.identity.userId);
      expect((await openChallenge(phone)).message).toBe(genericPushText);
    });

    test('includes a number to compare, which the client gets as match_code', async () => {
      const phone = await enrolDevice(stack.website);
      const own = await new ClientRegister(stack).withKeys({ settings: { numberMatching: 'type' } });
      const { match_code: number, auth_req_id: id } = await own.start(phone.identity.userId);
      expect(number).toMatch(/^\d{6}$/);
      bodyOf(await phone.answer(await openChallenge(phone), { decision: 'confirm', number: String(number) }));
      expect((await own.poll(id)).status).toBe(200);
    });
  });

  describe('login_hint', () => {
    const issSub = (sub: string, more: Record<string, unknown> = {}) =>
      JSON.stringify({ format: 'iss_sub', sub, ...more });

    test('accepts a user id, and a subject identifier with and without this issuer', async () => {
      for (const hint of [
        (userId: string) => userId,
        issSub,
        (userId: string) => issSub(userId, { iss: stack.file.baseUrl }),
        (userId: string) => issSub(userId, { iss: `${stack.file.baseUrl}/` }),
      ]) {
        const phone = await enrolDevice(stack.website);
        const { status } = await client.authorize({ login_hint: hint(phone.identity.userId) });
        expect(status).toBe(200);
      }
    });

    test('chooses the oldest device, the last one that confirmed, or the requested one', async () => {
      const userId = newUser();
      const [older, newer] = [
        await enrolDevice(stack.website, userId),
        await enrolDevice(stack.website, userId),
      ];
      const expectAsked = async (hint: string, device: SimulatedDevice) => {
        await client.start(hint);
        bodyOf(await device.confirm(await openChallenge(device)));
      };
      await expectAsked(userId, older);
      await pushAndConfirm(stack.website, newer);
      await expectAsked(userId, newer);
      await expectAsked(issSub(userId, { device: older.identity.deviceId }), older);
      expectOAuthError(
        await client.authorize({ login_hint: issSub(userId, { device: 'another' }) }),
        'unknown_user_id',
      );
    });

    test('rejects a user without a device, and what cannot be a user of this issuer', async () => {
      const phone = await enrolDevice(stack.website);
      for (const login_hint of [
        newUser(),
        'no user id',
        '..',
        'x'.repeat(129),
        issSub('no user id'),
        issSub(phone.identity.userId, { iss: 'https://another.example' }),
      ])
        expectOAuthError(await client.authorize({ login_hint }), 'unknown_user_id');
    });

    test('rejects a user of another tenant', async () => {
      const phone = await enrolDevice(stack.neighbour);
      expectOAuthError(await client.authorize({ login_hint: phone.identity.userId }), 'unknown_user_id');
    });
  });

  const faults: [string, string, Record<string, string>][] = [
    ['no scope', 'invalid_request', { scope: '' }],
    ['a scope without openid', 'invalid_scope', { scope: 'profile' }],
    ['no hint', 'invalid_request', { login_hint: '' }],
    ['two hints', 'invalid_request', { id_token_hint: 'x' }],
    ['a signed request object', 'invalid_request', { request: 'e30.e30.' }],
    ['a bidirectional control', 'invalid_binding_message', { binding_message: 'pay \u202eevil' }],
    ['details that are not JSON', 'invalid_authorization_details', { authorization_details: '[' }],
    ['details without a type', 'invalid_authorization_details', { authorization_details: '[{}]' }],
    ['a request context that is not an object', 'invalid_request', { request_context: '[]' }],
    [
      'a hidden character in the request context',
      'invalid_request',
      { request_context: '{"place":"A\u200b"}' },
    ],
    [
      'a notification token from a client without a URL',
      'invalid_request',
      { client_notification_token: 'a'.repeat(32) },
    ],
    ['an invalid notification token', 'invalid_request', { client_notification_token: 'ä'.repeat(32) }],
  ];
  test.each(faults)('rejects %s', async (_, error, parameters) => {
    expectOAuthError(await client.authorize({ login_hint: newUser(), ...parameters }), error);
  });

  describe('form bodies', () => {
    const send = async (parameters: Parameters, path = '/bc-authorize') =>
      await postForm(stack, path, parameters);
    const login_hint = 'nobody';

    test('may have unknown parameters, but no parameter twice', async () => {
      const usual = { scope: 'openid', login_hint, ...credentials };
      expectOAuthError(await send({ ...usual, audience: 'x', acr_values: 'y' }), 'unknown_user_id');
      for (const name of ['scope', 'login_hint', 'client_secret', 'audience', 'resource']) {
        const repeated: [string, string][] = [
          [name, 'openid'],
          [name, 'openid'],
        ];
        const others = Object.entries(usual).filter(([other]) => other !== name);
        const own: [string, string][] =
          name === 'client_secret'
            ? [
                [name, 'a'],
                [name, 'b'],
              ]
            : repeated;
        expectOAuthError(await send([...others, ...own]), 'invalid_request');
      }
    });

    test('are checked after the client and before the user', async () => {
      const wrong = { ...credentials, client_secret: 'wrong' };
      expectOAuthError(await send(wrong), 'invalid_client', 401);
      expectOAuthError(await send({ ...wrong, grant_type: 'x' }, '/oauth/token'), 'invalid_client', 401);
      const { clientId } = stack.file.tenants[0];
      const authorization = `Basic ${Buffer.from(`${clientId}:wrong`).toString('base64')}`;
      const json = { 'content-type': 'application/json', authorization };
      expectOAuthError(await post(stack, '/bc-authorize', Buffer.from('{}'), json), 'invalid_client', 401);
      expectOAuthError(await send({ ...credentials, login_hint }), 'invalid_request');
    });
  });

  describe('a user who cannot be asked now', () => {
    test('gets temporarily_unavailable while a confirmation is open', async () => {
      const phone = await enrolDevice(stack.website);
      const { userId } = phone.identity;
      await client.start(userId);
      const answer = expectOAuthError(
        await client.authorize({ login_hint: userId }),
        'temporarily_unavailable',
        429,
      );
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(120);
    });
  });
}
