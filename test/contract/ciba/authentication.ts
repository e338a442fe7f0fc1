/** How clients prove who they are at both endpoints, and what is no proof. */
import { createHmac, KeyObject, randomBytes, randomUUID, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { base64url } from 'jose';
import { FORMER_BASE_URL, type TestStack } from '../../support/stack.ts';
import { newUser } from '../scenario.ts';
import {
  type Assertion,
  assertionType,
  type ClientKeys,
  ClientRegister,
  expectOAuthError,
  grantType,
  newClientKeys,
  type OAuthAnswer,
  postForm,
  signAssertion,
} from './oauth-client.ts';

const inSeconds = (): number => Math.floor(Date.now() / 1000);

export function authentication(stack: TestStack): void {
  let register: ClientRegister;
  beforeAll(() => {
    register = new ClientRegister(stack);
  });

  /** Of an authenticated client the service goes on to the user, whom it does not know. */
  const expectAuthenticated = (answer: OAuthAnswer) => expectOAuthError(answer, 'unknown_user_id');
  const request = () => ({ scope: 'openid', login_hint: newUser() });

  describe('client_secret_basic and client_secret_post', () => {
    let clientId: string;
    // Every character that a form or the header could change.
    const secret = `${randomBytes(16).toString('hex')} +%:/=&ü`;
    const newer = randomBytes(24).toString('hex');
    beforeAll(async () => {
      clientId = await register.add({ secrets: [newer, secret] });
    });
    /** All but what differs with each answer of the gateway. */
    const seenByStrangers = ({ status, headers, body }: OAuthAnswer): string => {
      const each = new Set(['date', 'apigw-requestid', 'x-request-id']);
      return JSON.stringify([status, [...headers].filter(([name]) => !each.has(name)), body]);
    };
    const encoded = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');
    const basic = (id: string, password: string) => ({
      authorization: `Basic ${Buffer.from(`${encoded(id)}:${encoded(password)}`).toString('base64')}`,
    });
    const inForm = (client_secret: string) => ({ client_id: clientId, client_secret });

    test('accepts each of the two secrets, in the header and in the form, at both endpoints', async () => {
      for (const each of [secret, newer]) {
        expectAuthenticated(await postForm(stack, '/bc-authorize', request(), basic(clientId, each)));
        expectAuthenticated(await postForm(stack, '/bc-authorize', { ...request(), ...inForm(each) }));
        const redeem = { grant_type: grantType, auth_req_id: 'none' };
        expectOAuthError(
          await postForm(stack, '/oauth/token', redeem, basic(clientId, each)),
          'invalid_grant',
        );
      }
    });

    test('rejects any other secret, and the secret of another client', async () => {
      const wrong = [
        await postForm(stack, '/bc-authorize', request(), basic(clientId, `${secret}x`)),
        await postForm(stack, '/bc-authorize', request(), basic(`${clientId}x`, secret)),
        await postForm(stack, '/bc-authorize', { ...request(), ...inForm('wrong') }),
        await postForm(stack, '/oauth/token', { grant_type: grantType, ...inForm('wrong') }),
        await postForm(stack, '/bc-authorize', request()),
        await postForm(stack, '/bc-authorize', { ...request(), client_id: clientId }),
        await postForm(stack, '/bc-authorize', { ...request(), client_secret: secret }),
        await postForm(
          stack,
          '/bc-authorize',
          { ...request(), client_id: 'another' },
          basic(clientId, secret),
        ),
        await postForm(stack, '/bc-authorize', request(), { authorization: 'Basic %%%' }),
        await postForm(stack, '/bc-authorize', request(), { authorization: `Bearer ${secret.slice(0, 32)}` }),
        await postForm(stack, '/bc-authorize', request(), {
          authorization: `Basic ${Buffer.from(`${clientId}:%zz`).toString('base64')}`,
        }),
      ];
      for (const answer of wrong) {
        const { headers } = expectOAuthError(answer, 'invalid_client', 401);
        expect(headers.get('x-amzn-remapped-www-authenticate')).toBe('Basic realm="omi"');
      }
      const unknown = wrong.slice(0, 2).map(({ body }) => body);
      expect(unknown[0]).toEqual(unknown[1]);
    });

    test('answers the same for unknown, unauthenticated, wrongly authenticated and suspended clients', async () => {
      const suspended = await register.add({ secrets: [secret] });
      await register.suspend(suspended);
      const clients = [
        'unknown',
        await register.add({}),
        await register.add({ secrets: [secret] }),
        await register.add({ keys: [await newClientKeys()] }),
        await register.add({ keys: [await newClientKeys('RS256'), await newClientKeys()] }),
        await register.add({ secrets: [secret], scopes: [] }),
        suspended,
      ];
      const ways: ((client: string) => Promise<OAuthAnswer>)[] = [
        async (client) => await postForm(stack, '/bc-authorize', request(), basic(client, 'wrong')),
        async (client) =>
          await postForm(stack, '/oauth/token', { client_id: client, client_secret: 'wrong' }),
        async (client) => {
          const client_assertion = await signAssertion(stack, client, await newClientKeys());
          const form = { client_assertion_type: assertionType, client_assertion };
          return await postForm(stack, '/bc-authorize', { ...request(), ...form });
        },
      ];
      for (const way of ways) {
        const answers = await Promise.all(clients.map(way));
        expect(new Set(answers.map(seenByStrangers)).size).toBe(1);
        for (const answer of answers) expectOAuthError(answer, 'invalid_client', 401);
      }
    });

    test('authenticates a client without the scope, but does not authorize it', async () => {
      const reader = await register.add({ secrets: [secret], scopes: ['credential:omi:devices:get'] });
      const credentials = { client_id: reader, client_secret: secret };
      expectOAuthError(
        await postForm(stack, '/bc-authorize', { ...request(), ...credentials }),
        'unauthorized_client',
      );
      expectOAuthError(
        await postForm(stack, '/oauth/token', {
          grant_type: grantType,
          auth_req_id: 'none',
          ...credentials,
        }),
        'unauthorized_client',
      );
    });
  });

  describe('private_key_jwt', () => {
    let clientId: string;
    let keys: ClientKeys;
    beforeAll(async () => {
      keys = await newClientKeys();
      clientId = await register.add({ keys: [keys] });
    });

    const send = async (client_assertion: string, more: Record<string, string> = {}) =>
      await postForm(stack, '/bc-authorize', {
        ...request(),
        client_assertion_type: assertionType,
        client_assertion,
        ...more,
      });
    const signed = async (deviation?: Assertion) => await signAssertion(stack, clientId, keys, deviation);
    const refused = async (client_assertion: string) =>
      expectOAuthError(await send(client_assertion), 'invalid_client', 401);

    test('accepts the issuer, a former one and their endpoints as audience, with and without a trailing slash', async () => {
      const { baseUrl } = stack.file;
      for (const issuer of [baseUrl, FORMER_BASE_URL])
        for (const aud of [issuer, `${issuer}/`, `${issuer}/oauth/token`, `${issuer}/bc-authorize`])
          expectAuthenticated(await send(await signed({ claims: { aud } })));
    });

    test('rejects a repeated assertion, and another one with the same jti', async () => {
      const claims = { jti: randomUUID() };
      const assertion = await signed({ claims });
      expectAuthenticated(await send(assertion));
      await refused(assertion);
      await refused(await signed({ claims: { ...claims, exp: inSeconds() + 90 } }));
      expectOAuthError(
        await postForm(stack, '/oauth/token', {
          grant_type: grantType,
          auth_req_id: 'none',
          client_assertion_type: assertionType,
          client_assertion: assertion,
        }),
        'invalid_client',
        401,
      );
    });

    test('accepts one of many parallel calls with the same assertion', async () => {
      const assertion = await signed();
      const answers = await Promise.all(Array.from({ length: 6 }, async () => await send(assertion)));
      expect(answers.map(({ status }) => status).sort()).toEqual([400, 401, 401, 401, 401, 401]);
    });

    test('does not use up the jti of a rejected assertion', async () => {
      const claims = { jti: randomUUID() };
      await refused(await signed({ claims: { ...claims, aud: 'https://another.example' } }));
      expectAuthenticated(await send(await signed({ claims })));
    });

    test('rejects a signature by a foreign key, whatever kid and header say', async () => {
      const { kid } = keys.publicJwk;
      const mine = await newClientKeys();
      const same = { ...mine, publicJwk: { ...mine.publicJwk, kid } };
      await refused(await signAssertion(stack, clientId, mine));
      await refused(await signAssertion(stack, clientId, same));
      await refused(await signAssertion(stack, clientId, same, { header: { jwk: mine.publicJwk } }));
      await refused(
        await signAssertion(stack, clientId, same, {
          header: { jku: 'https://attacker.example/jwks', x5u: 'https://attacker.example/x5u' },
        }),
      );
    });

    test('rejects an algorithm that does not match the key', async () => {
      const [header, payload, signature] = (await signed()).split('.');
      const as = (alg: string) => base64url.encode(JSON.stringify({ alg, kid: keys.publicJwk['kid'] }));
      await refused(`${as('none')}.${payload}.`);
      await refused(`${as('none')}.${payload}.${signature}`);
      await refused(`${as('RS256')}.${payload}.${signature}`);
      await refused(`${as('es256')}.${payload}.${signature}`);
      await refused(`${as('HS256')}.${payload}.${hmac(`${as('HS256')}.${payload}`)}`);
      await refused(`${header}.${payload}.${base64url.encode(Buffer.alloc(64))}`);
      await refused(`${header}.${payload}.`);
    });

    /** With the public key as the secret, in the forms in which libraries have taken it. */
    const hmac = (input: string): string =>
      createHmac('sha256', JSON.stringify(keys.publicJwk)).update(input).digest('base64url');

    test('rejects critical headers even if the signature is valid', async () => {
      const [, payload] = (await signed()).split('.');
      const headers = [
        { crit: ['exp'], exp: 1 },
        { crit: ['b64'], b64: false },
        { crit: ['b64'], b64: true },
      ];
      for (const more of headers) {
        const header = base64url.encode(JSON.stringify({ alg: 'ES256', ...more }));
        await refused(`${header}.${payload}.${signatureOf(`${header}.${payload}`)}`);
      }
      const usual = base64url.encode(JSON.stringify({ alg: 'ES256' }));
      expectAuthenticated(await send(`${usual}.${payload}.${signatureOf(`${usual}.${payload}`)}`));
    });

    /** By the client's own key, over any text. */
    const signatureOf = (input: string): string => {
      const key = { key: KeyObject.from(keys.privateKey), dsaEncoding: 'ieee-p1363' } as const;
      return sign('sha256', Buffer.from(input), key).toString('base64url');
    };
  });
}
