import {
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  randomUUID,
  sign as signBytes,
  type KeyObject,
} from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readMessage, verify } from '../../../../core/devices/protocol/jws.ts';
import { thumbprintOf } from '../../../../core/devices/device.ts';
import type { DeviceKey } from '../../../../core/devices/device-key.ts';
import { signCompact, signTexts, type SigningKey } from '../../../../client/device/jws.ts';

const audience = 'https://api.example.com';
const now = Date.UTC(2026, 0, 1);
const type = 'omi-response+jws';

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const publicJwk = (key: KeyObject): DeviceKey =>
  createPublicKey(key).export({ format: 'jwk' }) as unknown as DeviceKey;
const own = newKey();
const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** The classic confusion: the public key, which everybody may know, as the secret of an HMAC. */
const publicAsSecret = createSecretKey(createPublicKey(own).export({ format: 'der', type: 'spki' }));

type Deviation = { header?: Record<string, unknown>; claims?: Record<string, unknown>; key?: SigningKey };

const sign = ({ header, claims, key = own }: Deviation = {}): string =>
  signCompact({
    header: { alg: 'ES256', typ: type, ...header },
    claims: {
      aud: audience,
      iat: now / 1000,
      jti: randomUUID(),
      jkt: thumbprintOf(publicJwk(own)),
      ...claims,
    },
    key,
  });

const check = async (jws: string): Promise<void> => {
  await verify(readMessage(jws, type), {
    baseUrls: [audience, 'https://former.example.com'],
    key: publicJwk(own),
    now,
  });
};

/** Signs the first two parts as they are. */
const signInput = (input: string): string => {
  const signature = signBytes('sha256', Buffer.from(input), { key: own, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};

/** A message of so many bytes. */
function sized(length: number): string {
  const [header = '', payload = '', signature = ''] = sign({ claims: { filler: '' } }).split('.');
  const room = Math.floor(((length - header.length - signature.length - 2) * 3) / 4);
  const jws = sign({ claims: { filler: 'x'.repeat(room - Buffer.from(payload, 'base64url').length) } });
  expect(jws).toHaveLength(length);
  return jws;
}

/** Claims of so many levels. */
const nested = (levels: number): Record<string, unknown> => ({
  deep: JSON.parse(`${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`),
});

/** Another last character with the same bytes. */
function respelt(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = text.slice(0, -1) + (alphabet[alphabet.indexOf(text.at(-1) ?? '') + 1] ?? '');
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(text, 'base64url'));
  return other;
}

const invalid = { code: 'invalid-signature' };
const flip = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

describe('a message in another form than the compact one', () => {
  const jws = sign();
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const der = signBytes('sha256', Buffer.from(`${header}.${payload}`), own);

  test.each([
    ['signed in DER', `${header}.${payload}.${der.toString('base64url')}`, '64 bytes r and s, not DER'],
    ['with a final line feed', `${jws}\n`, 'without line breaks'],
    ['broken into lines', `${header}.\r\n${payload}.${signature}`, 'without line breaks'],
    ['with padding', `${header}=.${payload}.${signature}==`, 'without padding'],
    ['in base64', `${header}.${payload}.+${signature.slice(1)}`, '"-" and "_"'],
    ['as a JSON string', JSON.stringify(jws), 'not JSON'],
    ['as a JSON object', JSON.stringify({ payload, signatures: [{ signature }] }), 'not JSON'],
    ['of two parts', `${header}.${payload}`, 'compact serialization'],
    ['of more than 8 KB', `${jws}${'='.repeat(8192)}`, 'at most 8 KB'],
  ])('is refused, and its fault is named: %s', (_, text, fault) => {
    expect(() => readMessage(text, type)).toThrow(
      expect.objectContaining({ ...invalid, message: expect.stringContaining(fault) }),
    );
  });
});

describe('a message of a device', () => {
  test('is accepted if it is signed with its key, for this service, now', async () => {
    await expect(check(sign())).resolves.toBeUndefined();
    await expect(check(sign({ claims: { iat: now / 1000 + 60 } }))).resolves.toBeUndefined();
    await expect(check(sign({ claims: { iat: now / 1000 - 300 } }))).resolves.toBeUndefined();
  });

  test.each<[string, Deviation]>([
    ["another device's key", { key: newKey() }],
    ['alg none', { header: { alg: 'none' }, key: 'none' }],
    ['alg none with a signature', { header: { alg: 'none' } }],
    ['alg ES384 in the header', { header: { alg: 'ES384' } }],
    ['alg es256 in lowercase', { header: { alg: 'es256' } }],
    ['no alg', { header: { alg: undefined } }],
    ['alg HS256 with the public key', { header: { alg: 'HS256' }, key: publicAsSecret }],
    ['alg RS256', { header: { alg: 'RS256' }, key: rsa }],
    ['a key of its own in the header', { header: { jwk: publicJwk(own) }, key: newKey() }],
    ['another typ', { header: { typ: 'omi-request+jws' } }],
    ['an uppercase typ', { header: { typ: 'OMI-RESPONSE+JWS' } }],
    ['no typ', { header: { typ: undefined } }],
    ['a crit header', { header: { crit: ['exp'] } }],
    ['an empty crit header', { header: { crit: [] } }],
    ['a compressed payload', { header: { zip: 'DEF' } }],
    ['an unencoded payload', { header: { b64: false } }],
    ['a link to a key', { header: { jku: 'https://elsewhere.example.com' } }],
    ['a certificate', { header: { x5c: ['MIIB'] } }],
    ['a content type', { header: { cty: 'JWT' } }],
    ['an unknown header parameter', { header: { note: 'hello' } }],
    ['its own key in the header', { header: { jwk: publicJwk(own) } }],
    ['a kid that is not a string', { header: { kid: 7 } }],
    ['exp as text', { claims: { exp: String(now / 1000 + 60) } }],
    ['exp as null', { claims: { exp: null } }],
    ['nbf as text', { claims: { nbf: '0' } }],
    ['a former base URL with more after it', { claims: { aud: 'https://former.example.com/' } }],
    ['another audience', { claims: { aud: 'https://elsewhere.example.com' } }],
    ['several audiences', { claims: { aud: [audience] } }],
    ['no audience', { claims: { aud: undefined } }],
    ['no iat', { claims: { iat: undefined } }],
    ['a text as iat', { claims: { iat: String(now / 1000) } }],
    ['no jti', { claims: { jti: undefined } }],
    ['a number as jti', { claims: { jti: 7 } }],
    ['an empty jti', { claims: { jti: '' } }],
    ['no jkt', { claims: { jkt: undefined } }],
    ['the jkt of another key', { claims: { jkt: thumbprintOf(publicJwk(newKey())) } }],
    ['a list as jkt', { claims: { jkt: [thumbprintOf(publicJwk(own))] } }],
    ['nine levels', { claims: nested(9) }],
  ])('is rejected with %s', async (_, deviation) => {
    await expect((async () => await check(sign(deviation)))()).rejects.toMatchObject(invalid);
  });

  test.each<[string, Record<string, unknown>]>([
    ['an exp in the future', { exp: now / 1000 + 0.001 }],
    ['an nbf within the tolerance for clocks', { nbf: now / 1000 + 60 }],
    ['both exp and nbf', { nbf: now / 1000, exp: now / 1000 + 60 }],
    ['eight levels', nested(8)],
  ])('is accepted with %s', async (_, claims) => {
    await expect(check(sign({ claims }))).resolves.toBeUndefined();
  });

  test.each<[string, Record<string, unknown>]>([
    ['an exp that is now', { exp: now / 1000 }],
    ['an exp in the past', { exp: now / 1000 - 1 }],
    ['an nbf in the future', { nbf: now / 1000 + 61 }],
  ])("gets the service's time with %s", async (_, claims) => {
    await expect(check(sign({ claims }))).rejects.toMatchObject({
      code: 'clock-skew',
      options: { serverTime: '2026-01-01T00:00:00.000Z' },
    });
  });

  test('is rejected if header, payload or signature was altered', async () => {
    const parts = sign().split('.');
    for (const position of parts.keys()) {
      const altered = parts.map((part, index) => (index === position ? flip(part) : part)).join('.');
      await expect((async () => await check(altered))()).rejects.toMatchObject(invalid);
    }
  });

  test.each([
    ['alg twice', '{"alg":"none",', '{'],
    ['an escaped alg twice', String.raw`{"\u0061lg":"none",`, '{'],
    ['a claim twice', '{', '{"jti":"another",'],
    ['a member twice inside', '{', '{"other":{"a":1,"a":2},'],
    ['a byte order mark', '{', '\ufeff{'],
  ])('is rejected with %s, even if that was signed', async (_, ofHeader, ofPayload) => {
    const [header = '', payload = ''] = sign()
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    const texts = { header: ofHeader + header.slice(1), payload: ofPayload + payload.slice(1) };
    const jws = signTexts({ ...texts, key: own });
    await expect((async () => await check(jws))()).rejects.toMatchObject(invalid);
  });

  test('is accepted with 8 KiB, and rejected with one byte more', async () => {
    await expect(check(sized(8_192))).resolves.toBeUndefined();
    await expect((async () => await check(sized(8_193)))()).rejects.toMatchObject(invalid);
  });

  test('is rejected in another encoding of the same bytes, even if that was signed', async () => {
    const [header = '', payload = '', signature = ''] = sign({ claims: { note: 'of this length!' } }).split(
      '.',
    );
    for (const jws of [
      `${header}.${payload}.${respelt(signature)}`,
      signInput(`${respelt(header)}.${payload}`),
      signInput(`${header}.${respelt(payload)}`),
      signInput(` ${header}.${payload}`),
    ])
      await expect((async () => await check(jws))()).rejects.toMatchObject(invalid);
    await expect(check(signInput(`${header}.${payload}`))).resolves.toBeUndefined();
  });

  test.each(['iat', 'exp'])('is rejected when %s is too large for a number', async (name) => {
    const [header = '', claims = ''] = sign()
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    const payload = JSON.stringify({ ...JSON.parse(claims), [name]: 0 }).replace(
      `"${name}":0`,
      `"${name}":1e400`,
    );
    const jws = signTexts({ header, payload, key: own });
    await expect(check(jws)).rejects.toMatchObject(invalid);
  });

  test.each([61, -301])("gets the service's time if its clock is wrong by %i s", async (seconds) => {
    await expect(check(sign({ claims: { iat: now / 1000 + seconds } }))).rejects.toMatchObject({
      code: 'clock-skew',
      options: { serverTime: '2026-01-01T00:00:00.000Z' },
    });
  });

  test('is rejected with bytes that are not UTF-8', async () => {
    const [header = '', payload = ''] = sign().split('.');
    const bytes = Buffer.from(payload, 'base64url');
    const broken = Buffer.concat([bytes.subarray(0, -1), Buffer.from(',"a":"\xff"}', 'latin1')]);
    const jws = signInput(`${header}.${broken.toString('base64url')}`);
    await expect((async () => await check(jws))()).rejects.toMatchObject(invalid);
  });

  test('gets the time only if its signature is valid', async () => {
    await expect(check(sign({ claims: { iat: 0 }, key: newKey() }))).rejects.toMatchObject(invalid);
  });

  test('is rejected without a fault for any text', async () => {
    const part = fc.oneof(
      fc.base64String().map((text) => text.replaceAll('=', '')),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
      fc.string(),
    );
    const text = fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.'));
    await fc.assert(
      fc.asyncProperty(text, async (jws) => {
        await expect((async () => await check(jws))()).rejects.toMatchObject(invalid);
      }),
      { numRuns: 500 },
    );
  });
});
