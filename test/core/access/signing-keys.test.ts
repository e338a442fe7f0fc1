import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { type Authorizer, claimsOf, coldAuthorizer, oidc, tenantDatabase } from '../../support/authorizer.ts';
import { secondsFromNow, sign, type SigningKey, signingKey, TestIssuer } from '../../support/token-issuer.ts';

const { discoveryPath, keySetPath } = TestIssuer;

let database: DynamoDBDocumentClient;
let key: SigningKey;
let newKey: SigningKey;
let issuer: TestIssuer;
let authorizer: Authorizer;

beforeAll(async () => {
  [database, key, newKey] = await Promise.all([tenantDatabase(), signingKey(), signingKey()]);
});

beforeEach(async () => {
  issuer = await TestIssuer.start();
  issuer.keys = [key.jwk];
  authorizer = coldAuthorizer(oidc(issuer.url), database);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await issuer.close();
});

const call = async (signer = key, header = {}) =>
  await authorizer.withToken(
    await sign(signer, claimsOf(issuer.url, { exp: secondsFromNow(86_400) }), header),
  );

const later = (milliseconds: number): void => {
  const now = Date.now() + milliseconds;
  jest.spyOn(Date, 'now').mockReturnValue(now);
};

const accepted = expect.objectContaining({ status: 200 });
const unknownKey = { status: 401, reason: 'unknown-key' };
const fault = { status: 500 };

describe('the verifier', () => {
  test('requests nothing before the first token, nor for a token that no key can make valid', async () => {
    await authorizer.withHeader(undefined);
    await authorizer.withToken('junk');
    await authorizer.withToken(await sign(key, claimsOf('https://elsewhere.example.com')));
    await call(key, { kid: undefined });

    expect(issuer.requests).toEqual([]);
  });

  test('requests the discovery document and the keys once each', async () => {
    for (let calls = 0; calls < 3; calls += 1) expect(await call()).toEqual(accepted);

    expect(issuer.requests).toEqual([discoveryPath, keySetPath]);
  });

  test('shares its requests among concurrent calls', async () => {
    expect(await Promise.all([call(), call(), call()])).toEqual([accepted, accepted, accepted]);

    expect(issuer.requests).toEqual([discoveryPath, keySetPath]);
  });

  test('requests the keys again when a token names an unknown key', async () => {
    await call();
    issuer.keys = [key.jwk, newKey.jwk];

    expect(await call(newKey)).toEqual(accepted);
    expect(await call(key)).toEqual(accepted);
    expect(issuer.requests).toEqual([discoveryPath, keySetPath, keySetPath]);
  });

  test('requests the keys again only after a while when the key is still missing', async () => {
    await call();
    for (let calls = 0; calls < 5; calls += 1) expect(await call(newKey)).toEqual(unknownKey);

    expect(await call(key)).toEqual(accepted);
    expect(issuer.requests).toEqual([discoveryPath, keySetPath, keySetPath]);
  });

  test('requests everything again after an hour, so that a withdrawn key is no longer accepted', async () => {
    await call();
    issuer.keys = [newKey.jwk];
    later(3_600_000 - 10_000);
    expect(await call(key)).toEqual(accepted);
    later(20_000);

    expect(await call(key)).toEqual(unknownKey);
    expect(await call(newKey)).toEqual(accepted);
    const requests = [...issuer.requests];
    expect(await call(newKey)).toEqual(accepted);
    expect(issuer.requests).toEqual(requests);
  });
});

describe('the discovery document', () => {
  test.each([
    ['/tenant', '/tenant'],
    ['/tenant/', '/tenant'],
    ['/tenant//', '/tenant/'],
  ])('is found for an issuer with a path, without its final slash: %s', async (path, without) => {
    const name = `${issuer.url}${path}`;
    const body = JSON.stringify({ issuer: name, jwks_uri: `${issuer.url}${keySetPath}` });
    issuer.answers.set(`${without}/.well-known/openid-configuration`, { status: 200, body });
    authorizer = coldAuthorizer(oidc(name), database);

    expect(await authorizer.withToken(await sign(key, claimsOf(name)))).toEqual(accepted);
  });

  test.each([
    ['names another issuer', { issuer: 'https://elsewhere.example.com' }],
    ['names the issuer with another slash', { issuer: (url: string) => `${url}/` }],
    ['has no issuer', { issuer: undefined }],
    ['has no keys', { jwks_uri: undefined }],
    ['has keys that are not a URL', { jwks_uri: 'keys' }],
    ['has keys on another host without TLS', { jwks_uri: 'http://elsewhere.example.com/keys' }],
    ['has keys in a file', { jwks_uri: 'file:///etc/hostname' }],
  ])('causes a fault if it %s', async (_, changes) => {
    const document = { issuer: issuer.url, jwks_uri: `${issuer.url}${keySetPath}`, ...changes };
    const resolved = { ...document, issuer: resolve(document.issuer) };
    issuer.answers.set(discoveryPath, { body: JSON.stringify(resolved) });

    expect(await call()).toEqual(fault);
    expect(issuer.requests).not.toContain(keySetPath);
  });

  const resolve = (name: unknown): unknown =>
    typeof name === 'function' ? (name as (url: string) => string)(issuer.url) : name;
});

describe.each([
  ['discovery', discoveryPath],
  ['key set', keySetPath],
])('a fault of the %s', (_, path) => {
  test.each([
    ['an error of the server', { status: 503 }],
    ['a missing document', { status: 404 }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['invalid JSON', { body: '<html>' }],
    ['JSON of another kind', { body: '[]' }],
    ['an answer that is too large', { body: JSON.stringify({ keys: ['x'.repeat(300_000)] }) }],
  ])('is not attributed to the caller, and ends with its cause: %s', async (__, answer) => {
    issuer.answers.set(path, answer);
    expect(await call()).toEqual(fault);
    expect(await call()).toEqual(fault);

    issuer.answers.delete(path);
    expect(await call()).toEqual(accepted);
  });

  test('has no effect if the second attempt succeeds', async () => {
    issuer.answers.set(path, { status: 503 });
    const answer = issuer.answer.bind(issuer);
    jest.spyOn(issuer, 'answer').mockImplementation((asked) => {
      const result = answer(asked);
      if (asked === path) issuer.answers.delete(path);
      return result;
    });

    expect(await call()).toEqual(accepted);
  });
});

describe('an unavailable issuer', () => {
  test('is a fault while no key is known', async () => {
    await issuer.close();

    expect(await call()).toEqual(fault);
    await revive();
  });

  test('is a fault, not a denial, for a key that it may have added', async () => {
    await call();
    await issuer.close();

    expect(await call(newKey)).toEqual(fault);
    expect(await call(newKey)).toEqual(fault);
    await revive();
  });

  test('is not a fault for a known key', async () => {
    await call();
    await issuer.close();

    expect(await call()).toEqual(accepted);
    await revive();
  });

  test('makes no difference for an invalid token', async () => {
    await issuer.close();

    expect(await authorizer.withToken('junk')).toEqual({ status: 401, reason: 'malformed-token' });
    await revive();
  });

  /** For the next test to close. */
  const revive = async (): Promise<void> => {
    issuer = await TestIssuer.start();
  };
});

describe('keys that cannot verify a signature', () => {
  const jwkOf = async (alg: string, members: JWK): Promise<JWK> => ({
    ...(await exportJWK((await generateKeyPair(alg, { extractable: true })).publicKey)),
    ...members,
  });

  test('do not affect the keys that can', async () => {
    const odd = [
      null,
      7,
      'key',
      {},
      { kty: 7 },
      { kty: 'oct', k: 'c2VjcmV0', kid: 'oct' },
      { kty: 'NEW', kid: 'new' },
    ];
    issuer.keys = [...(odd as JWK[]), key.jwk];

    expect(await call()).toEqual(accepted);
  });

  test.each<[string, () => Promise<JWK>]>([
    ['for encryption', async () => ({ ...(await jwkOf('ES256', {})), use: 'enc' })],
    ['that is symmetric', () => Promise.resolve({ kty: 'oct', k: 'c2VjcmV0' })],
    ['that is symmetric, with a curve', () => Promise.resolve({ kty: 'oct', k: 'c2VjcmV0', crv: 'P-256' })],
    ['of an unknown curve', async () => ({ ...(await jwkOf('ES256', {})), crv: 'P-512' })],
    ['for key agreement', async () => await jwkOf('ECDH-ES', { crv: 'X25519', kty: 'OKP' })],
  ])('are ignored: a key %s', async (_, jwk) => {
    issuer.keys = [{ ...(await jwk()), kid: key.jwk.kid }];

    expect(await call()).toEqual(unknownKey);
  });

  test('include a key whose alg is another one for its curve', async () => {
    issuer.keys = [{ ...key.jwk, alg: 'ECDH-ES' }];

    expect(await call()).toEqual({ status: 401, reason: 'wrong-algorithm' });
  });

  test('do not include a key whose use is missing', async () => {
    const { use, ...open } = key.jwk;
    issuer.keys = [open];

    expect(use).toBe('sig');
    expect(await call()).toEqual(accepted);
  });

  test.each([
    ['ES256', 'ES384'],
    ['ES256', 'RS256'],
    ['ES256', 'EdDSA'],
    ['EdDSA', 'RS256'],
    ['EdDSA', 'ES256'],
  ])('do not include a %s key without alg: it is ignored for %s', async (alg, claimed) => {
    const signer = await signingKey(alg);
    const { alg: named, ...jwk } = signer.jwk;
    issuer.keys = [jwk];
    expect(await call(signer)).toEqual(accepted);

    const token = await sign(signer, claimsOf(issuer.url));
    const [, payload = '', signature = ''] = token.split('.');
    const header = Buffer.from(JSON.stringify({ alg: claimed, kid: jwk.kid })).toString('base64url');
    expect(named).toBe(alg);
    expect(await authorizer.withToken(`${header}.${payload}.${signature}`)).toMatchObject({ status: 401 });
  });
});

describe('an issuer with a plain HTTP address', () => {
  test.each([
    'http://issuer.example.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'ftp://127.0.0.1',
  ])('is rejected at the start unless it is loopback: %s', (name) => {
    expect(() => coldAuthorizer(oidc(name), database)).toThrow(name);
  });

  test.each(['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'https://issuer.example.com'])(
    'is accepted on loopback, and anywhere with HTTPS: %s',
    (name) => {
      expect(() => coldAuthorizer(oidc(name), database)).not.toThrow();
    },
  );
});
