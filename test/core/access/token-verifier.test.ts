import { createPublicKey, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { base64url, SignJWT, UnsecuredJWT } from 'jose';
import {
  type Authorizer,
  claimsOf,
  coldAuthorizer,
  demo,
  oidc,
  tenantDatabase,
} from '../../support/authorizer.ts';
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

describe('a good token', () => {
  test.each(['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'RS384', 'RS512'])(
    'may be signed with %s',
    async (alg) => {
      const other = await signingKey(alg);
      const origin = await TestIssuer.start();
      origin.keys = [other.jwk];
      const fresh = coldAuthorizer(oidc(origin.url), await tenantDatabase());

      expect(await fresh.withToken(await sign(other, claimsOf(origin.url)))).toMatchObject({ status: 200 });
      await origin.close();
    },
  );

  test('hands over tenant, client, settings and its expiry', async () => {
    const exp = secondsFromNow(60);

    expect(await authorizer.withToken(await token({ exp }))).toEqual({
      status: 200,
      caller: {
        ...demo,
        tokenExpiresAt: exp,
        recovery: false,
        settings: expect.objectContaining({ maxDevices: 5, numberMatching: 'off' }),
      },
    });
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('comes after the scheme %s', async (scheme) => {
    expect(await authorizer.withHeader(`${scheme} ${await token()}`)).toMatchObject({ status: 200 });
  });

  test('may be 8 KB long', async () => {
    const long = await token({ padding: 'x'.repeat(6000) });

    expect(long.length).toBeGreaterThan(8000);
    expect(await authorizer.withToken(long)).toMatchObject({ status: 200 });
  });

  test('may name the audience among others', async () => {
    expect(
      await authorizer.withToken(await token({ aud: ['https://other.example.com', audience] })),
    ).toMatchObject({
      status: 200,
    });
  });

  test('may come from a clock that is a moment ahead', async () => {
    expect(
      await authorizer.withToken(await token({ nbf: secondsFromNow(3), iat: secondsFromNow(3) })),
    ).toMatchObject({
      status: 200,
    });
  });
});

describe('what is no bearer token', () => {
  test.each([
    undefined,
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Basic ZGVtbzpzZWNyZXQ=',
    'OMI-Device a.b.c',
    'Bearera.b.c',
    'Bearer\ta.b.c',
    'Bearer a.b.c\n',
    'Bearer ä.b.c',
  ])('is refused: %j', async (header) => {
    expect(await authorizer.withHeader(header)).toEqual(unauthorized('no-bearer-token'));
  });

  test('is refused: a good token without its scheme', async () => {
    expect(await authorizer.withHeader(await token())).toEqual(unauthorized('no-bearer-token'));
  });

  test.each([', Bearer ', ',Bearer ', ' ', ', '])(
    'is refused: two good tokens with %j between',
    async (between) => {
      const good = await token();

      expect(await authorizer.withHeader(`Bearer ${good}${between}${good}`)).toEqual(
        unauthorized('no-bearer-token'),
      );
    },
  );
});

describe('a malformed token', () => {
  test.each([
    'junk',
    'a.b',
    'a.b.c',
    'a.b.c.d',
    '..',
    'null',
    `${base64url.encode('null')}.${base64url.encode('null')}.c`,
    `${base64url.encode('[]')}.${base64url.encode('{}')}.c`,
    `${base64url.encode('{"alg":"ES256","kid":7}')}.${base64url.encode('{}')}.c`,
    'A'.repeat(8192),
    `${'A'.repeat(4000)}.${'A'.repeat(4000)}.A`,
    `${base64url.encode('{}')}.${base64url.encode('['.repeat(6000))}.c`,
  ])('is refused: %.40s', async (junk) => {
    expect(await authorizer.withToken(junk)).toEqual(unauthorized('malformed-token'));
  });

  test.each<[string, Claims]>([
    ['a scope that is no string', { scope: ['credential:omi:devices:get'] }],
    ['an expiry that is no number', { exp: '2999-01-01' }],
    ['an expiry beyond any calendar', { exp: -1e300 }],
    ['a beginning beyond any calendar', { nbf: 1e300 }],
  ])('is refused although it is signed: %s', async (_, changes) => {
    expect(await authorizer.withToken(await token(changes))).toEqual(unauthorized('malformed-token'));
  });

  test('is refused when its header has extensions that must be understood (RFC 7515, section 4.1.11)', async () => {
    const critical = await new SignJWT(claims())
      .setProtectedHeader({
        alg: key.alg,
        kid: key.jwk.kid,
        crit: ['http://example.com/x'],
        'http://example.com/x': 1,
      })
      .sign(key.privateKey, { crit: { 'http://example.com/x': true } });

    expect(await authorizer.withToken(critical)).toEqual(unauthorized('malformed-token'));
  });

  test('never counts, nor brings the authorizer down, whatever it is', async () => {
    const parts = fc.array(
      fc.oneof(
        fc.base64String(),
        fc.json().map((json) => base64url.encode(json)),
      ),
      {
        maxLength: 4,
      },
    );
    const header = fc.oneof(
      fc.string(),
      fc.string().map((text) => `Bearer ${text}`),
      parts.map((texts) => `Bearer ${texts.join('.')}`),
      fc.tuple(fc.object(), fc.object()).map(
        ([head, body]) =>
          `Bearer ${[
            { alg: 'ES256', kid: key.jwk.kid, ...head },
            { ...claims(), ...body },
          ]
            .map((part) => base64url.encode(JSON.stringify(part)))
            .join('.')}.AAAA`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(header, async (text) => {
        expect(await authorizer.withHeader(text)).toMatchObject({ status: 401 });
      }),
      { numRuns: 300 },
    );
  });
});

describe('a signature', () => {
  test('is needed: alg none', async () => {
    const unsigned = new UnsecuredJWT(claims()).encode();

    expect(await authorizer.withToken(unsigned)).toEqual(unauthorized('malformed-token'));
    expect(await authorizer.withToken(`${unsigned}AAAA`)).toEqual(unauthorized('unknown-key'));
  });

  test.each(['none', 'None', 'nOnE'])('is needed: alg %s with a known key and a signature', async (alg) => {
    const named = withPart(await token(), 0, () =>
      base64url.encode(JSON.stringify({ alg, kid: key.jwk.kid })),
    );

    expect(await authorizer.withToken(named)).toEqual(unauthorized('wrong-algorithm'));
  });

  test('is not one by HMAC with the public key as the secret', async () => {
    const forged = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: rsaKey.jwk.kid })
      .sign(new TextEncoder().encode(publicPem()));

    expect(await authorizer.withToken(forged)).toEqual(unauthorized('wrong-algorithm'));
  });

  test('is of the algorithm that the key is for', async () => {
    const renamed = withPart(await sign(rsaKey, claims()), 0, () =>
      base64url.encode(JSON.stringify({ alg: 'RS512', kid: rsaKey.jwk.kid })),
    );

    expect(await authorizer.withToken(renamed)).toEqual(unauthorized('wrong-algorithm'));
  });

  test.each<[string, Claims]>([
    ['another client', { client_id: 'neighbour-client' }],
    ['another scope', { scope: 'credential:omi:devices:delete' }],
    ['a later expiry', { exp: secondsFromNow(86_400) }],
  ])('does not cover a payload that was changed to %s', async (_, changes) => {
    expect(await authorizer.withToken(withPayload(await token(), changes))).toEqual(
      unauthorized('wrong-signature'),
    );
  });

  test('does not hold when it was changed', async () => {
    const changed = withPart(
      await token(),
      2,
      (text) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`,
    );

    expect(await authorizer.withToken(changed)).toEqual(unauthorized('wrong-signature'));
  });

  test.each(['AAAA', 'A'.repeat(86), 'A'.repeat(342)])('does not hold when it is zeros', async (zeros) => {
    expect(await authorizer.withToken(withPart(await token(), 2, () => zeros))).toEqual(
      unauthorized('wrong-signature'),
    );
  });

  test('is not one by a stranger under the name of a known key', async () => {
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

  test('must be one of the issuer, however often it is tried', async () => {
    const foreign = await sign(strangersKey, claims());

    expect(await authorizer.withToken(foreign)).toEqual(unauthorized('unknown-key'));
    expect(await authorizer.withToken(foreign)).toEqual(unauthorized('unknown-key'));
    expect(await authorizer.withToken(await sign(strangersKey, claims(), { kid: randomUUID() }))).toEqual(
      unauthorized('unknown-key'),
    );
  });

  test.each(['__proto__', 'constructor', ''])('is not found by the name %j', async (kid) => {
    expect(await authorizer.withToken(await token({}, { kid }))).toEqual(unauthorized('unknown-key'));
  });
});

describe('the issuer', () => {
  test.each([undefined, '', 'https://elsewhere.example.com', 'HTTP://127.0.0.1'])(
    'is not %j',
    async (iss) => {
      expect(await authorizer.withToken(await token({ iss }))).toEqual(unauthorized('wrong-issuer'));
    },
  );

  test('is the same only to the last character', async () => {
    expect(await authorizer.withToken(await token({ iss: `${issuer.url}/` }))).toEqual(
      unauthorized('wrong-issuer'),
    );
  });
});

describe('the audience', () => {
  test.each([undefined, '', 'https://other.example.com', `${audience}/`, [], ['https://other.example.com']])(
    'is not %j',
    async (aud) => {
      expect(await authorizer.withToken(await token({ aud }))).toEqual(unauthorized('wrong-audience'));
    },
  );
});

describe('the time', () => {
  test.each([0, -1, -3600])('of a token is over when it expires (in %d s)', async (seconds) => {
    expect(await authorizer.withToken(await token({ exp: secondsFromNow(seconds) }))).toEqual(
      unauthorized('expired'),
    );
  });

  test('of a token has an end', async () => {
    expect(await authorizer.withToken(await token({ exp: undefined }))).toEqual(unauthorized('no-expiry'));
  });

  test('of a token has come', async () => {
    expect(await authorizer.withToken(await token({ nbf: secondsFromNow(60) }))).toEqual(
      unauthorized('not-yet-valid'),
    );
  });
});
