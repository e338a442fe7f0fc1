import { createPublicKey, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { base64url, SignJWT, UnsecuredJWT } from 'jose';
import { type Authorizer, claimsOf, coldAuthorizer, oidc, tenantDatabase } from '../../support/authorizer.ts';
import {
  type Claims,
  secondsFromNow,
  sign,
  type SigningKey,
  signingKey,
  TestIssuer,
} from '../../support/token-issuer.ts';

const audience = 'https://omi.example.com';

let issuer: TestIssuer;
let key: SigningKey;
let rsaKey: SigningKey;
let strangersKey: SigningKey;
let authorizer: Authorizer;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  [key, rsaKey, strangersKey] = await Promise.all([signingKey(), signingKey('RS256'), signingKey()]);
  issuer.keys = [key.jwk, rsaKey.jwk];
  authorizer = coldAuthorizer(oidc(issuer.url, { audience }), await tenantDatabase());
});

afterAll(async () => await issuer.close());

/** Good claims but for the given ones; an undefined one is left out. */
const claims = (changes: Claims = {}): Claims => claimsOf(issuer.url, { aud: audience, ...changes });
const token = async (changes: Claims = {}, header: Claims = {}) => await sign(key, claims(changes), header);

const unauthorized = (reason: string) => ({ status: 401, reason });

const publicPem = (): string =>
  createPublicKey({ key: rsaKey.jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) as string;

/** Another text for one of the three parts. */
function withPart(jwt: string, part: 0 | 1 | 2, change: (text: string) => string): string {
  return jwt
    .split('.')
    .map((text, index) => (index === part ? change(text) : text))
    .join('.');
}

const withPayload = (jwt: string, changes: Claims): string =>
  withPart(jwt, 1, (text) => {
    const payload = JSON.parse(new TextDecoder().decode(base64url.decode(text))) as Claims;
    return base64url.encode(JSON.stringify({ ...payload, ...changes }));
  });

describe('a signature', () => {
  test('is required: alg none', async () => {
    const unsigned = new UnsecuredJWT(claims()).encode();

    expect(await authorizer.withToken(unsigned)).toEqual(unauthorized('malformed-token'));
    expect(await authorizer.withToken(`${unsigned}AAAA`)).toEqual(unauthorized('unknown-key'));
  });

  test.each(['none', 'None', 'nOnE'])('is required: alg %s with a known key and a signature', async (alg) => {
    const named = withPart(await token(), 0, () =>
      base64url.encode(JSON.stringify({ alg, kid: key.jwk.kid })),
    );

    expect(await authorizer.withToken(named)).toEqual(unauthorized('wrong-algorithm'));
  });

  test('cannot be an HMAC with the public key as the secret', async () => {
    const forged = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: rsaKey.jwk.kid })
      .sign(new TextEncoder().encode(publicPem()));

    expect(await authorizer.withToken(forged)).toEqual(unauthorized('wrong-algorithm'));
  });

  test('must use the algorithm of the key', async () => {
    const renamed = withPart(await sign(rsaKey, claims()), 0, () =>
      base64url.encode(JSON.stringify({ alg: 'RS512', kid: rsaKey.jwk.kid })),
    );

    expect(await authorizer.withToken(renamed)).toEqual(unauthorized('wrong-algorithm'));
  });

  test.each<[string, Claims]>([
    ['another client', { client_id: 'neighbour-client' }],
    ['another scope', { scope: 'credential:omi:devices:delete' }],
    ['a later expiry', { exp: secondsFromNow(86_400) }],
  ])('is invalid for a payload that was changed to %s', async (_, changes) => {
    expect(await authorizer.withToken(withPayload(await token(), changes))).toEqual(
      unauthorized('wrong-signature'),
    );
  });

  test('is invalid if it was changed', async () => {
    const changed = withPart(
      await token(),
      2,
      (text) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`,
    );

    expect(await authorizer.withToken(changed)).toEqual(unauthorized('wrong-signature'));
  });

  test.each(['AAAA', 'A'.repeat(86), 'A'.repeat(342)])('is invalid if it is all zeros', async (zeros) => {
    expect(await authorizer.withToken(withPart(await token(), 2, () => zeros))).toEqual(
      unauthorized('wrong-signature'),
    );
  });

  test.each(['ES256', 'ES384', 'ES512'])('is invalid if its length is not that of %s', async (alg) => {
    const other = await signingKey(alg);
    const origin = await TestIssuer.start();
    origin.keys = [other.jwk];
    const fresh = coldAuthorizer(oidc(origin.url), await tenantDatabase());
    const good = await sign(other, claimsOf(origin.url));

    for (const length of [4, 86, 128, 176])
      expect(await fresh.withToken(withPart(good, 2, () => 'A'.repeat(length)))).toEqual(
        unauthorized('wrong-signature'),
      );
    await origin.close();
  });

  test('must come from the key that the token names', async () => {
    const forged = await sign(strangersKey, claims(), { kid: key.jwk.kid });

    expect(await authorizer.withToken(forged)).toEqual(unauthorized('wrong-signature'));
  });

  test.each(['jwk', 'jku', 'x5u', 'x5c'])(
    'is not checked with a key that the token brings along as %s',
    async (member) => {
      const strangersIssuer = await TestIssuer.start();
      strangersIssuer.keys = [strangersKey.jwk];
      const brought = {
        jwk: strangersKey.jwk,
        jku: `${strangersIssuer.url}/keys`,
        x5u: `${strangersIssuer.url}/keys`,
        x5c: [strangersKey.jwk.x],
      }[member];

      for (const kid of [strangersKey.jwk.kid, key.jwk.kid]) {
        const forged = await sign(strangersKey, claims(), { kid, [member]: brought });
        expect(await authorizer.withToken(forged)).toMatchObject({ status: 401 });
      }
      expect(strangersIssuer.requests).toEqual([]);
      await strangersIssuer.close();
    },
  );
});

describe('the key', () => {
  test('must be named', async () => {
    expect(await authorizer.withToken(await token({}, { kid: undefined }))).toEqual(
      unauthorized('unknown-key'),
    );
  });

  test("must be one of the issuer's, also on repeated attempts", async () => {
    const foreign = await sign(strangersKey, claims());

    expect(await authorizer.withToken(foreign)).toEqual(unauthorized('unknown-key'));
    expect(await authorizer.withToken(foreign)).toEqual(unauthorized('unknown-key'));
    expect(await authorizer.withToken(await sign(strangersKey, claims(), { kid: randomUUID() }))).toEqual(
      unauthorized('unknown-key'),
    );
  });

  test.each(['__proto__', 'constructor', ''])('is not found with the id %j', async (kid) => {
    expect(await authorizer.withToken(await token({}, { kid }))).toEqual(unauthorized('unknown-key'));
  });
});
