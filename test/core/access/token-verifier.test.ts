import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { base64url, SignJWT } from 'jose';
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
  freeze,
  secondsFromNow,
  sign,
  type SigningKey,
  signingKey,
  TestIssuer,
} from '../../support/token-issuer.ts';

const audience = 'https://omi.example.com';

let issuer: TestIssuer;
let key: SigningKey;
let authorizer: Authorizer;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  key = await signingKey();
  issuer.keys = [key.jwk];
  authorizer = coldAuthorizer(oidc(issuer.url, { audience }), await tenantDatabase());
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => await issuer.close());

/** Good claims but for the given ones; an undefined one is left out. */
const claims = (changes: Claims = {}): Claims => claimsOf(issuer.url, { aud: audience, ...changes });
const token = async (changes: Claims = {}, header: Claims = {}) => await sign(key, claims(changes), header);

const unauthorized = (reason: string) => ({ status: 401, reason });

describe('a valid token', () => {
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

  test('passes on tenant, client, settings and its expiry', async () => {
    const exp = secondsFromNow(60);

    expect(await authorizer.withToken(await token({ exp }))).toEqual({
      status: 200,
      caller: {
        ...demo,
        tokenExpiresAt: exp,
        recovery: false,
        requester: { tenant: demo.clientId, client: demo.clientId },
        settings: expect.objectContaining({ maxDevices: 5, numberMatching: 'off' }),
      },
    });
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  '])('follows the scheme %s', async (scheme) => {
    expect(await authorizer.withHeader(`${scheme} ${await token()}`)).toMatchObject({ status: 200 });
  });

  test('may be 8 KB long', async () => {
    const long = await token({ padding: 'x'.repeat(6000) });

    expect(long.length).toBeGreaterThan(8000);
    expect(await authorizer.withToken(long)).toMatchObject({ status: 200 });
  });

  test('may have several audiences', async () => {
    expect(
      await authorizer.withToken(await token({ aud: ['https://other.example.com', audience] })),
    ).toMatchObject({
      status: 200,
    });
  });

  test('may come from a clock that is slightly ahead', async () => {
    const now = freeze();

    expect(await authorizer.withToken(await token({ nbf: now + 5, iat: now + 5 }))).toMatchObject({
      status: 200,
    });
  });
});

describe('a header without a bearer token', () => {
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
  ])('is rejected: %j', async (header) => {
    expect(await authorizer.withHeader(header)).toEqual(unauthorized('no-bearer-token'));
  });

  test('is rejected: a valid token without its scheme', async () => {
    expect(await authorizer.withHeader(await token())).toEqual(unauthorized('no-bearer-token'));
  });

  test.each([', Bearer ', ',Bearer ', ' ', ', '])(
    'is rejected: two valid tokens with %j between them',
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
    'a.b.c==',
    '..',
    'null',
    `${base64url.encode('null')}.${base64url.encode('null')}.c`,
    `${base64url.encode('[]')}.${base64url.encode('{}')}.c`,
    `${base64url.encode('{"alg":"ES256","kid":7}')}.${base64url.encode('{}')}.c`,
    'A'.repeat(8192),
    `${'A'.repeat(4000)}.${'A'.repeat(4000)}.A`,
    `${base64url.encode('{}')}.${base64url.encode('['.repeat(6000))}.c`,
  ])('is rejected: %.40s', async (junk) => {
    expect(await authorizer.withToken(junk)).toEqual(unauthorized('malformed-token'));
  });

  test.each<[string, Claims]>([
    ['a scope that is not a string', { scope: ['credential:omi:devices:get'] }],
    ['an expiry that is not a number', { exp: '2999-01-01' }],
    ['an expiry outside the calendar', { exp: -1e300 }],
    ['a beginning outside the calendar', { nbf: 1e300 }],
  ])('is rejected although it is signed: %s', async (_, changes) => {
    expect(await authorizer.withToken(await token(changes))).toEqual(unauthorized('malformed-token'));
  });

  test('is rejected if its header has critical extensions (RFC 7515, section 4.1.11)', async () => {
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

  test('is never accepted and never causes a fault', async () => {
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

describe('the issuer', () => {
  test.each([undefined, '', 'https://elsewhere.example.com', 'HTTP://127.0.0.1'])(
    'is rejected if it is %j',
    async (iss) => {
      expect(await authorizer.withToken(await token({ iss }))).toEqual(unauthorized('wrong-issuer'));
    },
  );

  test('is compared exactly', async () => {
    expect(await authorizer.withToken(await token({ iss: `${issuer.url}/` }))).toEqual(
      unauthorized('wrong-issuer'),
    );
  });
});

describe('the audience', () => {
  test.each([undefined, '', 'https://other.example.com', `${audience}/`, [], ['https://other.example.com']])(
    'is rejected if it is %j',
    async (aud) => {
      expect(await authorizer.withToken(await token({ aud }))).toEqual(unauthorized('wrong-audience'));
    },
  );
});

describe('the time', () => {
  test.each([0, -1, -3600])('has ended when the token expires (in %d s)', async (seconds) => {
    expect(await authorizer.withToken(await token({ exp: secondsFromNow(seconds) }))).toEqual(
      unauthorized('expired'),
    );
  });

  test('is rejected without an end', async () => {
    expect(await authorizer.withToken(await token({ exp: undefined }))).toEqual(unauthorized('no-expiry'));
  });

  test('ends to the second', async () => {
    const now = freeze();

    expect(await authorizer.withToken(await token({ exp: now + 1 }))).toMatchObject({ status: 200 });
    expect(await authorizer.withToken(await token({ exp: now }))).toEqual(unauthorized('expired'));
  });

  test('is rejected before it begins', async () => {
    const now = freeze();

    expect(await authorizer.withToken(await token({ nbf: now + 6 }))).toEqual(unauthorized('not-yet-valid'));
  });
});
