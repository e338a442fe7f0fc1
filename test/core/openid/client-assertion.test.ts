import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  base64url,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';
import * as v from 'valibot';
import { publicJwk, type PublicJwk } from '../../../core/access/public-jwk.ts';
import { readAssertion, verifyAssertion } from '../../../core/openid/client-assertion.ts';

const now = Date.UTC(2026, 0, 1, 12);
const second = 1000;
const issuer = 'https://omi.example';
const clientId = 'payments';

type Pair = { privateKey: CryptoKey; jwk: PublicJwk };
type Changes = Record<string, unknown>;

let pair: Pair;
let rsa: Pair;
beforeAll(async () => {
  [pair, rsa] = await Promise.all([newPair('ES256'), newPair('RS256')]);
});

/** Without a `kid`. */
async function newPair(alg: PublicJwk['alg']): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: v.parse(publicJwk, { ...(await exportJWK(publicKey)), alg }) };
}

/** Good claims but for the given ones; an undefined one is left out. */
const claimsWith = (changes: Changes = {}): Changes => ({
  ...{ iss: clientId, sub: clientId, aud: issuer, jti: 'one', exp: now / second + 60 },
  ...changes,
});

const signed = async (
  changes: Changes = {},
  header: JWTHeaderParameters = { alg: 'ES256' },
  { privateKey } = pair,
): Promise<string> => await new SignJWT(claimsWith(changes)).setProtectedHeader(header).sign(privateKey);

const verify = async (assertion: string, keys: readonly PublicJwk[] = [pair.jwk]) =>
  await verifyAssertion(readAssertion(assertion), { keys, audiences: [issuer], now });

const verified = { clientId, jti: 'one', expiresAt: expect.any(Number) };
const refused = (description: string) => ({
  code: 'invalid_client',
  message: expect.stringContaining(description),
});

describe('an assertion', () => {
  /** Signed by nobody, and of exactly this length. */
  const ofLength = (length: number): string => {
    const text = `.${base64url.encode(JSON.stringify(claimsWith()))}.`;
    const header = base64url.encode(JSON.stringify({ alg: 'ES256' }));
    return `${header}${text}${'A'.repeat(length - header.length - text.length)}`;
  };

  test('may have 8 KB', () => {
    expect(readAssertion(ofLength(8 * 1024))).toMatchObject({ clientId });
    expect(() => readAssertion(ofLength(8 * 1024 + 1))).toThrow('at most 8 KB');
  });

  test.each([undefined, '', 7, null, [clientId]])(
    'is rejected without the name of its client: %j',
    async (sub) => {
      const assertion = await signed({ sub });

      expect(() => readAssertion(assertion)).toThrow('with the claim sub');
    },
  );

  test.each(['', '!', base64url.encode('no JSON'), base64url.encode('[]')])(
    'is rejected with an unreadable header: %j',
    (header) => {
      const assertion = `${header}.${base64url.encode(JSON.stringify(claimsWith()))}.AAAA`;

      expect(() => readAssertion(assertion)).toThrow('that is a signed JWT');
    },
  );

  test.each<[string, Changes]>([
    ['iss', { iss: 'another' }],
    ['sub', { sub: 'another' }],
  ])('is rejected if another client is named in %s', async (_, changes) => {
    const assertion = await signed(changes);

    await expect(
      verifyAssertion({ clientId, assertion }, { keys: [pair.jwk], audiences: [issuer], now }),
    ).rejects.toMatchObject(refused('the claims iss and sub'));
  });

  test.each<[string, Changes]>([
    ['no exp', { exp: undefined }],
    ['an iat that is not a number', { iat: '1' }],
    ['an nbf that is not a number', { nbf: '1' }],
  ])('is refused with %s', async (_, changes) => {
    const assertion = [{ alg: 'ES256' }, claimsWith(changes)].map((part) =>
      base64url.encode(JSON.stringify(part)),
    );
    const signature = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      pair.privateKey,
      new TextEncoder().encode(assertion.join('.')),
    );

    await expect(
      verify([...assertion, base64url.encode(new Uint8Array(signature))].join('.')),
    ).rejects.toMatchObject(refused('the claims iss and sub'));
  });
});

describe('the signature', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each(['ES256', 'RS256'] as const)(
    'costs the same to check if it is wrong, whatever keys the client has: %s',
    async (alg) => {
      const stranger = await newPair(alg);
      const assertion = await signed({}, { alg }, stranger);
      const verifications = jest.spyOn(crypto.subtle, 'verify');
      const costs: number[] = [];
      for (const keys of [[], [pair.jwk], [rsa.jwk], [pair.jwk, rsa.jwk], [{ ...pair.jwk, kid: 'k' }]]) {
        verifications.mockClear();
        await expect(verify(assertion, keys)).rejects.toMatchObject(refused('unknown'));
        costs.push(verifications.mock.calls.length);
      }
      expect(costs).toEqual([2, 2, 2, 2, 2]);
    },
  );

  test('is verified once', async () => {
    const verifications = jest.spyOn(crypto.subtle, 'verify');
    await expect(verify(await signed())).resolves.toEqual(verified);
    expect(verifications).toHaveBeenCalledTimes(1);
  });
});

describe('the time', () => {
  const at = (milliseconds: number): number => (now + milliseconds) / second;

  test('ends with exp', async () => {
    await expect(verify(await signed({ exp: at(1) }))).resolves.toEqual({ ...verified, expiresAt: now + 1 });
    await expect(verify(await signed({ exp: at(0) }))).rejects.toMatchObject(refused('has expired'));
  });

  test('lasts 10 minutes at most', async () => {
    const longest = 600 * second;

    await expect(verify(await signed({ exp: at(longest) }))).resolves.toEqual({
      ...verified,
      expiresAt: now + longest,
    });
    await expect(verify(await signed({ exp: at(longest + 1) }))).rejects.toMatchObject(
      refused('at most 10 minutes ahead'),
    );
  });

  test.each(['iat', 'nbf'])('may begin a minute ahead, because clocks differ: %s', async (claim) => {
    await expect(verify(await signed({ [claim]: at(60 * second) }))).resolves.toEqual(verified);
    await expect(verify(await signed({ [claim]: at(60 * second + 1) }))).rejects.toMatchObject(
      refused('not valid yet'),
    );
  });
});

describe('the key', () => {
  const wrong = refused('its credentials are wrong');

  test('may be any registered one if the header names none', async () => {
    const [older, newer] = [await newPair('ES256'), await newPair('ES256')];

    for (const each of [older, newer])
      await expect(verify(await signed({}, { alg: 'ES256' }, each), [older.jwk, newer.jwk])).resolves.toEqual(
        verified,
      );
  });

  test('must be the named one if the header names one', async () => {
    const named = [{ ...pair.jwk, kid: 'mine' }];

    await expect(verify(await signed({}, { alg: 'ES256', kid: 'mine' }), named)).resolves.toEqual(verified);
    await expect(verify(await signed({}, { alg: 'ES256', kid: 'other' }), named)).rejects.toMatchObject(
      wrong,
    );
    await expect(verify(await signed({}, { alg: 'ES256', kid: 'other' }))).resolves.toEqual(verified);
  });

  test.each(['RS384', 'RS512', 'PS256'])('is accepted with RS256, and rejected with %s', async (alg) => {
    const { privateKey } = rsa;
    const ofOther = await importJWK(await exportJWK(privateKey), alg);

    await expect(verify(await signed({}, { alg: 'RS256' }, rsa), [rsa.jwk])).resolves.toEqual(verified);
    await expect(
      verify(await new SignJWT(claimsWith()).setProtectedHeader({ alg }).sign(ofOther), [rsa.jwk]),
    ).rejects.toMatchObject(wrong);
  });

  test('is not searched in a malformed assertion', async () => {
    const broken: PublicJwk = { kty: 'EC', crv: 'P-256', x: 'eA', y: 'eQ', alg: 'ES256' };

    await expect(verify(await signed(), [broken, pair.jwk])).resolves.toEqual(verified);
    await expect(verify(await signed(), [broken])).rejects.toMatchObject(wrong);
  });
});
