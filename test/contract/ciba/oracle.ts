/**
 * The same wrong requests to the service and to `oidc-provider`, another implementation of CIBA by other people: both refuse them,
 * with the same status and the same `error`.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { type Server, startServer } from '../../../tools/bench/stack/server.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice, newUser } from '../scenario.ts';
import { assertionType, ClientRegister, grantType, newClientKeys, type ClientKeys } from './oauth-client.ts';

/** Where the two have their endpoints, and the same two clients at each. */
type Issuer = {
  url: string;
  authentication: string;
  token: string;
  secret: { client_id: string; client_secret: string };
  signing: { clientId: string; keys: ClientKeys };
  /** A user who can be asked. */
  userId: string;
};

type Call = { path: 'authentication' | 'token'; parameters: [string, string][]; type?: string };
type Wrong = (issuer: Issuer) => Call | Promise<Call>;

const form = 'application/x-www-form-urlencoded';

async function answerOf(issuer: Issuer, { path, parameters, type = form }: Call) {
  const body =
    type === form
      ? new URLSearchParams(parameters).toString()
      : JSON.stringify(Object.fromEntries(parameters));
  const response = await fetch(issuer[path], { method: 'POST', headers: { 'content-type': type }, body });
  const { error } = (await response.json()) as { error?: unknown };
  return { status: response.status, error };
}

const secretOf = ({ secret }: Issuer): [string, string][] => Object.entries(secret);

/** An authentication request of the client with a secret, with other parameters. */
const asking =
  (parameters: (issuer: Issuer) => [string, string][]): Wrong =>
  (issuer) => ({ path: 'authentication', parameters: [...secretOf(issuer), ...parameters(issuer)] });

const redeeming =
  (parameters: [string, string][]): Wrong =>
  (issuer) => ({ path: 'token', parameters: [...secretOf(issuer), ...parameters] });

type Signed = { claims?: Record<string, unknown>; header?: Record<string, unknown>; key?: ClientKeys };

/** An authentication request whose client assertion has other claims, another header, or another key. */
const asserting =
  (change: (issuer: Issuer) => Signed | Promise<Signed>): Wrong =>
  async (issuer) => {
    const { clientId, keys } = issuer.signing;
    const { claims, header, key = keys } = await change(issuer);
    const now = Math.floor(Date.now() / 1000);
    const usual = {
      iss: clientId,
      sub: clientId,
      aud: issuer.url,
      jti: randomUUID(),
      exp: now + 60,
      iat: now,
    };
    const assertion = await new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: key.alg, kid: String(keys.publicJwk['kid']), ...header })
      .sign(key.privateKey);
    return {
      path: 'authentication',
      parameters: [
        ['client_assertion_type', assertionType],
        ['client_assertion', assertion],
        ['scope', 'openid'],
        ['login_hint', issuer.userId],
      ],
    };
  };

const openid: [string, string] = ['scope', 'openid'];
const hinted = ({ userId }: Issuer): [string, string] => ['login_hint', userId];

const requests: [string, Wrong][] = [
  [
    'with a wrong secret',
    (issuer) => ({
      path: 'authentication',
      parameters: [
        ['client_id', issuer.secret.client_id],
        ['client_secret', 'x'.repeat(43)],
        openid,
        hinted(issuer),
      ],
    }),
  ],
  [
    'of an unknown client',
    (issuer) => ({
      path: 'authentication',
      parameters: [['client_id', 'nobody'], ['client_secret', 'x'.repeat(43)], openid, hinted(issuer)],
    }),
  ],
  ['without a scope', asking((issuer) => [hinted(issuer)])],
  ['without a hint', asking(() => [openid])],
  ['with two hints', asking((issuer) => [openid, hinted(issuer), ['id_token_hint', 'a.b.c']])],
  ['with a hint twice', asking((issuer) => [openid, hinted(issuer), hinted(issuer)])],
  ['of an unknown user', asking(() => [openid, ['login_hint', newUser()]])],
  [
    'with an expiry that is no number',
    asking((issuer) => [openid, hinted(issuer), ['requested_expiry', 'soon']]),
  ],
  ['with an expiry of no time', asking((issuer) => [openid, hinted(issuer), ['requested_expiry', '0']])],
  ['with a request object that is none', asking((issuer) => [openid, hinted(issuer), ['request', 'x']])],
];

const assertions: [string, Wrong][] = [
  ['for another audience', asserting(() => ({ claims: { aud: 'https://another.example' } }))],
  ['without an audience', asserting(() => ({ claims: { aud: undefined } }))],
  ['that has expired', asserting(() => ({ claims: { exp: Math.floor(Date.now() / 1000) - 600 } }))],
  ['without an expiry', asserting(() => ({ claims: { exp: undefined } }))],
  ['without an id', asserting(() => ({ claims: { jti: undefined } }))],
  ['of another issuer', asserting(() => ({ claims: { iss: 'another' } }))],
  ['of another subject', asserting(() => ({ claims: { sub: 'another' } }))],
  ['signed with another key', asserting(async () => ({ key: await newClientKeys() }))],
];

const redemptions: [string, Wrong][] = [
  ['of another kind', redeeming([['grant_type', 'urn:example:grant']])],
  ['without a request', redeeming([['grant_type', grantType]])],
  [
    'of an unknown request',
    redeeming([
      ['grant_type', grantType],
      ['auth_req_id', randomUUID()],
    ]),
  ],
  ['without a kind', redeeming([['auth_req_id', randomUUID()]])],
];

export function oracle(stack: TestStack): void {
  let ours: Issuer;
  let theirs: Issuer;
  let server: Server;

  beforeAll(async () => {
    const keys = await newClientKeys();
    const register = new ClientRegister(stack);
    const [{ clientId, clientSecret }] = stack.file.tenants;
    const userId = newUser();
    await enrolDevice(stack.website, userId);
    const { baseUrl } = stack.file;
    ours = {
      url: baseUrl,
      authentication: `${baseUrl}/bc-authorize`,
      token: `${baseUrl}/oauth/token`,
      secret: { client_id: clientId, client_secret: clientSecret },
      signing: { clientId: await register.add({ keys: [keys] }), keys },
      userId,
    };
    const { secret, signing } = ours;
    const clients = { secret, signing: { clientId: signing.clientId, key: keys.publicJwk }, userId };
    server = await startServer('test/contract/ciba/oracle-server.ts', JSON.stringify(clients));
    const { url } = server;
    theirs = { ...ours, url, authentication: `${url}/backchannel`, token: `${url}/token` };
  });
  afterAll(async () => await server.stop());

  const bothAnswer = async (wrong: Wrong) => {
    const [own, other] = [
      await answerOf(ours, await wrong(ours)),
      await answerOf(theirs, await wrong(theirs)),
    ];
    expect(own.status).toBeGreaterThanOrEqual(400);
    expect(own).toEqual(other);
  };

  test('a request without a client is refused by both, here as RFC 6749 (section 5.2) says', async () => {
    const wrong = (issuer: Issuer): Call => ({
      path: 'authentication',
      parameters: [openid, hinted(issuer)],
    });
    expect(await answerOf(ours, wrong(ours))).toEqual({ status: 401, error: 'invalid_client' });
    expect(await answerOf(theirs, wrong(theirs))).toEqual({ status: 400, error: 'invalid_request' });
  });

  test.each(requests)('an authentication request %s is refused by both alike', async (_, wrong) => {
    await bothAnswer(wrong);
  });

  test.each(assertions)('a client assertion %s is refused by both alike', async (_, wrong) => {
    await bothAnswer(wrong);
  });

  test.each(redemptions)('a token request %s is refused by both alike', async (_, wrong) => {
    await bothAnswer(wrong);
  });

  test('a request that waits is pending at both, for its own client alone', async () => {
    const first = asking((issuer) => [openid, hinted(issuer)]);
    const statesAt = async (issuer: Issuer) => {
      const { authentication } = issuer;
      const { parameters } = await first(issuer);
      const asked = await fetch(authentication, { method: 'POST', body: new URLSearchParams(parameters) });
      expect(asked.status).toBe(200);
      const { auth_req_id: id } = (await asked.json()) as { auth_req_id: string };
      const redemption: [string, string][] = [
        ['grant_type', grantType],
        ['auth_req_id', id],
      ];
      const { parameters: signed } = await asserting(() => ({}))(issuer);
      const other = signed.filter(([name]) => name.startsWith('client_'));
      return [
        await answerOf(issuer, await redeeming(redemption)(issuer)),
        await answerOf(issuer, { path: 'token', parameters: [...other, ...redemption] }),
      ];
    };
    const own = await statesAt(ours);
    expect(own).toEqual([
      { status: 400, error: 'authorization_pending' },
      { status: 400, error: 'invalid_grant' },
    ]);
    expect(own).toEqual(await statesAt(theirs));
  });
}
