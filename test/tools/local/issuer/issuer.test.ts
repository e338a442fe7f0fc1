import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { type Issuer, startIssuer } from '../../../../tools/local/issuer/issuer.ts';
import { createSigningKey } from '../../../../tools/local/issuer/secrets.ts';

const usual = ['credential:omi:devices:get', 'credential:omi:enrol:qr:post', 'omi:events:post'];
const byName = 'credential:omi:recovery';
const scopes = [...usual, byName];
const audience = 'http://127.0.0.1:8080';
const website = { clientId: 'website', clientSecret: 'secret~1' };
const clients = [website, { clientId: 'neighbour', clientSecret: 'secret~2' }];

let issuer: Issuer;
const log: string[] = [];
const printed = (['log', 'info', 'warn', 'error'] as const).map((method) =>
  jest.spyOn(console, method).mockReturnValue(),
);

beforeAll(async () => {
  issuer = await startIssuer({
    port: 0,
    audience,
    clients,
    scopes,
    scopesByName: [byName],
    signingKey: await createSigningKey(),
    log: (line) => log.push(line),
  });
});

afterAll(async () => {
  await issuer.close();
});

type Form = Record<string, string>;
type Token = { access_token: string; token_type: string; expires_in: number; scope: string; error?: string };

async function ask(form: Form, headers: Form = {}): Promise<{ status: number; body: Token }> {
  const body = new URLSearchParams(form);
  const response = await fetch(issuer.tokenUrl, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as Token };
}

const askAs = async (
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  form: Form = {},
) =>
  await ask({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, ...form });

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

describe('a token', () => {
  test('is a signed JWT for the client, good for an hour', async () => {
    const { status, body } = await askAs(website);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    const keys = createRemoteJWKSet(new URL(`${issuer.issuer}/jwks`));
    const { payload, protectedHeader } = await jwtVerify(body.access_token, keys, {
      issuer: issuer.issuer,
      audience,
    });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(payload).toMatchObject({ client_id: 'website', sub: 'website' });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
  });

  test.each([
    ['in the form', async () => await askAs(website)],
    [
      'in the Authorization header',
      async () => await ask({ grant_type: 'client_credentials' }, basic('website', 'secret~1')),
    ],
    [
      'percent-encoded in it',
      async () => await ask({ grant_type: 'client_credentials' }, basic('website', 'secret%7E1')),
    ],
  ])('is granted for credentials %s', async (_, asking) => {
    expect((await asking()).status).toBe(200);
  });
});

describe('the scope', () => {
  const scopeOf = ({ body }: { body: Token }) => [body.scope, decodeJwt(body.access_token)['scope']];

  test('has all scopes except those by name if none is requested', async () => {
    expect(scopeOf(await askAs(website))).toEqual([usual.join(' '), usual.join(' ')]);
    expect(scopeOf(await askAs(website, { scope: '' }))).toEqual([usual.join(' '), usual.join(' ')]);
  });

  test('includes a scope by name only on request', async () => {
    const scope = `${byName} omi:events:post`;
    expect(scopeOf(await askAs(website, { scope }))).toEqual([scope, scope]);
  });

  test('is narrowed by the request', async () => {
    const scope = 'omi:events:post credential:omi:devices:get';
    expect(scopeOf(await askAs(website, { scope }))).toEqual([scope, scope]);
  });

  test.each(['other', 'omi:events:post other', 'openid'])('%s is unknown', async (scope) => {
    expect(await askAs(website, { scope })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  });
});

describe('the issuer', () => {
  test.each([
    ['a wrong secret', { clientId: 'website', clientSecret: 'secret~2' }],
    ['an unknown client', { clientId: 'nobody', clientSecret: 'secret~1' }],
  ])('rejects %s', async (_, client) => {
    expect(await askAs(client)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test('rejects another grant', async () => {
    const answer = await askAs(website, { grant_type: 'password', username: 'a', password: 'b' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
  });

  test.each([{ host: 'attacker.example' }, { origin: 'https://attacker.example' }])(
    'rejects a foreign %j',
    async (headers) => {
      const sent = request(`${issuer.issuer}/.well-known/openid-configuration`, { headers }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(403);
    },
  );
});

test('the issuer describes itself by OIDC discovery', async () => {
  const response = await fetch(`${issuer.issuer}/.well-known/openid-configuration`);
  const document = (await response.json()) as { scopes_supported: string[] };
  expect(document).toMatchObject({
    issuer: issuer.issuer,
    token_endpoint: issuer.tokenUrl,
    jwks_uri: `${issuer.issuer}/jwks`,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  });
  expect(document.scopes_supported).toEqual(expect.arrayContaining(scopes));
});

test('the issuer has no other paths', async () => {
  for (const path of ['/auth', '/me', '/reg', '/session/end'])
    expect((await fetch(`${issuer.issuer}${path}`)).status).toBeGreaterThanOrEqual(400);
});

test('the issuer prints nothing', () => {
  // The library prints a notice for each of its defaults that is not replaced, when it is first used.
  for (const method of printed) expect(method).not.toHaveBeenCalled();
  expect(log).toEqual([]);
});
