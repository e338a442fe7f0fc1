/** Evidence is checked without the service: each case fails one check alone. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calculateJwkThumbprint } from 'jose';
import { type Confirmation, EvidenceError, Omi, verifyEvidence } from '#website';
import {
  asked,
  claims,
  claimsOf,
  confirmation,
  header,
  omiKeys,
  otherKeys,
  publicJwk,
  receiptFor,
  sha256,
  signJws,
  type Signed,
} from './support/evidence.ts';

const codeOf = async (check: Promise<unknown>): Promise<string> =>
  await check.then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof EvidenceError) return error.code;
      throw error;
    },
  );

const check = async (
  signed: Signed,
  overrides: Partial<Confirmation> = {},
  other: Partial<Parameters<typeof verifyEvidence>[1]> = {},
): Promise<string> => await codeOf(verifyEvidence(confirmation(signed, overrides), { ...asked, ...other }));

/** A JSON text with this member once more at its end. */
const twice = (value: object, member: string): string => `${JSON.stringify(value).slice(0, -1)},${member}}`;

const details = [{ type: 'payment', amount: '12.50', to: { name: 'Example Shop ü' } }];
const detailsHash = sha256(JSON.stringify(details));

test('a confirmation of what was asked is accepted, with its claims', async () => {
  await expect(verifyEvidence(confirmation(), asked)).resolves.toEqual(claims);
});

test('a denial has evidence, too', async () => {
  const denied = confirmation(
    { claims: { ...claims, decision: 'deny', reason: 'not_me' } },
    { status: 'denied' },
  );
  await expect(verifyEvidence(denied, asked)).resolves.toMatchObject({ decision: 'deny', reason: 'not_me' });
});

test.each<[string, Signed]>([
  ['alg', { header: { ...header, alg: 'ES384' } }],
  ['alg', { header: { ...header, alg: 'none' } }],
  ['typ', { header: { ...header, typ: 'omi-request+jws' } }],
  ['typ', { header: { alg: header.alg, kid: header.kid } }],
  ['kid', { header: { ...header, kid: 'device-2' } }],
  ['kid', { header: { alg: header.alg, typ: header.typ } }],
  ['header', { header: { ...header, b64: false, crit: ['b64'] } }],
  ['header', { header: { ...header, jwk: publicJwk(otherKeys.publicKey) } }],
  ['signature', { key: otherKeys.privateKey }],
  ['iss', { claims: { ...claims, iss: 'device-2' } }],
  ['sub', { claims: { ...claims, sub: 'user-2' } }],
  ['tid', { claims: { ...claims, tid: 'tenant-2' } }],
  ['aud', { claims: { ...claims, aud: 'https://api.example.com' } }],
  ['aud', { claims: { ...claims, aud: [asked.baseUrl] } }],
  ['challengeId', { claims: { ...claims, challengeId: sha256('tenant-1\nnonce-9876543210') } }],
  ['messageHash', { claims: { ...claims, messageHash: sha256('Pay 1250 € to Example Shop?') } }],
  ['decision', { claims: { ...claims, decision: 'deny' } }],
  ['detailsHash', { claims: { ...claims, detailsHash } }],
  ['malformed', { header: twice(header, '"alg":"ES256"') }],
  ['malformed', { claims: twice(claims, '"decision":"confirm"') }],
  ['malformed', { claims: twice(claims, String.raw`"\u0064ecision":"confirm"`) }],
  ['malformed', { claims: twice(claims, '"nested":{"a":1,"b":[{"c":1,"c":1}]}') }],
  ['malformed', { claims: '[]' }],
  ['malformed', { claims: 'null' }],
  ['malformed', { claims: '7' }],
  ['malformed', { claims: '{' }],
  ['malformed', { claims: `\uFEFF${JSON.stringify(claims)}` }],
  ['malformed', { claims: { ...claims, jti: 'x'.repeat(8192) } }],
])('the check %s fails: %j', async (code, signed) => {
  expect(await check(signed)).toBe(code);
});

test('evidence is malformed if its claims are not UTF-8', async () => {
  const bytes = Buffer.from(JSON.stringify({ ...claims, jti: 'ÿ' }), 'latin1');
  expect(await check({ claims: bytes })).toBe('malformed');
});

test('names are compared within their object, and not within texts', async () => {
  const inner = { list: [{ a: 1 }, { a: 2 }], nested: { decision: 'deny' } };
  expect(await check({ claims: { ...inner, ...claims, after: inner.nested } })).toBe('accepted');
  expect(await check({ claims: { ...claims, jti: '","decision":"deny' } })).toBe('accepted');
});

/** Signed, and of this many characters: white space at the end of the header reaches each length. */
function evidenceOf(length: number): string {
  const missing = length - signJws({ claims: { ...claims, jti: '' } }).length;
  for (const space of ['', ' ', '  '])
    for (let size = Math.floor((missing * 3) / 4) - 5; size < missing; size += 1) {
      const padded = { ...claims, jti: 'x'.repeat(size) };
      const jws = signJws({ header: `${JSON.stringify(header)}${space}`, claims: padded });
      if (jws.length === length) return jws;
      if (jws.length > length) break;
    }
  throw new Error(`No evidence has ${length} characters`);
}

test.each<[string, number]>([
  ['accepted', 8192],
  ['malformed', 8193],
])('evidence is %s with %i characters', async (code, length) => {
  expect(await check({}, { evidence: evidenceOf(length) })).toBe(code);
});

test.each<[string, string, (jws: string) => string]>([
  ['malformed', 'a fourth part', (jws) => `${jws}.AAAA`],
  ['malformed', 'a fourth part without content', (jws) => `${jws}.`],
  ['malformed', 'a signature with padding', (jws) => `${jws}==`],
  ['malformed', 'two parts', (jws) => jws.replace(/\.[^.]*$/, '')],
  ['signature', 'no signature', (jws) => jws.replace(/[^.]*$/, '')],
  ['signature', 'a short signature', (jws) => jws.replace(/[^.]*$/, 'AAAA')],
])('the check %s fails: %s', async (code, _, change) => {
  expect(await check({}, { evidence: change(signJws()) })).toBe(code);
});

const { deviceKey: usualKey } = confirmation();

test.each<[string, Partial<Confirmation>]>([
  ['status', { status: 'pending' }],
  ['status', { status: 'expired' }],
  ['decision', { status: 'denied' }],
  ['device-key', { deviceKey: { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' } }],
  ['device-key', { deviceKey: { kty: 'oct' as 'EC', crv: 'P-256', x: '', y: '' } }],
  ['device-key', { deviceKey: { ...usualKey, kty: 'oct' as 'EC' } as Confirmation['deviceKey'] & object }],
  [
    'device-key',
    { deviceKey: { ...usualKey, crv: 'P-384' as 'P-256' } as Confirmation['deviceKey'] & object },
  ],
  ['signature', { deviceKey: publicJwk(otherKeys.publicKey) }],
  ['sub', { userId: 'user-2' }],
  ['tid', { tenantId: 'tenant-2' }],
])('the check %s fails with %j in the confirmation', async (code, overrides) => {
  expect(await check({}, overrides)).toBe(code);
});

test('evidence is missing if it or the key is missing', async () => {
  const { evidence, deviceKey, ...rest } = confirmation();
  expect(await codeOf(verifyEvidence({ ...rest, ...(deviceKey && { deviceKey }) }, asked))).toBe('missing');
  expect(await codeOf(verifyEvidence({ ...rest, ...(evidence && { evidence }) }, asked))).toBe('missing');
});

test('the check iss fails if the confirmation names another device than asked and answered', async () => {
  expect(await check({}, { deviceId: 'device-2' }, { deviceId: 'device-1' })).toBe('iss');
  const other = { claims: { ...claims, iss: 'device-2' } };
  expect(await check(other, { deviceId: 'device-2' }, { deviceId: 'device-1' })).toBe('iss');
});

test.each([
  ['sub', { userId: 'user-2' }],
  ['tid', { tenantId: 'tenant-2' }],
  ['aud', { baseUrl: 'https://api.example.org/' }],
  ['challengeId', { nonce: 'nonce-9876543210' }],
  ['messageHash', { message: 'Pay 12.50 € to Example Shop? ' }],
  ['kid', { deviceId: 'device-2' }],
])('the check %s fails if asked was %j', async (code, other) => {
  expect(await check({}, {}, other)).toBe(code);
});

test('tenant and device are those of the confirmation, if the website names none', async () => {
  const { tenantId, ...rest } = asked;
  await expect(verifyEvidence(confirmation(), rest)).resolves.toMatchObject({ tid: tenantId });
  const omi = new Omi({
    baseUrl: asked.baseUrl,
    tenantId: 'tenant-2',
    token: async () => await Promise.resolve('t'),
    fetch: async () => await Promise.resolve(Response.json(omiKeys)),
  });
  expect(await codeOf(omi.verifyEvidence(confirmation(), rest))).toBe('tid');
  await expect(omi.verifyEvidence(confirmation(), asked)).resolves.toMatchObject({ tid: tenantId });
});

describe('details', () => {
  const signed = { claims: { ...claims, detailsHash } };

  test('are bound by their hash', async () => {
    expect(await check(signed, {}, { details })).toBe('accepted');
  });

  test.each([
    ['another amount', [{ ...details[0], type: 'payment', amount: '1250' }]],
    ['another order', [{ amount: '12.50', type: 'payment', to: { name: 'Example Shop ü' } }]],
    ['none', undefined],
  ])('are not those that were signed: %s', async (_, other) => {
    expect(await check(signed, {}, { details: other })).toBe('detailsHash');
  });

  test('must be signed if they were requested', async () => {
    expect(await check({}, {}, { details })).toBe('detailsHash');
  });
});

describe('known keys', () => {
  test('are the thumbprints stored since the enrolment', async () => {
    const { deviceKey } = confirmation();
    const known = await calculateJwkThumbprint(deviceKey ?? {});
    expect(await check({}, {}, { knownKeys: ['another', known] })).toBe('accepted');
    expect(await check({}, {}, { knownKeys: ['another'] })).toBe('unknown-key');
    expect(await check({}, {}, { knownKeys: [] })).toBe('unknown-key');
  });
});

describe('evidence', () => {
  const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });

  test('proves only the question for which it was signed, for all questions', async () => {
    const question = fc.record({ tenantId: text, userId: text, message: text, nonce: text });
    await fc.assert(
      fc.asyncProperty(question, question, async (one, other) => {
        const [first, second] = [
          { ...asked, ...one },
          { ...asked, ...other },
        ];
        const { tenantId, userId } = first;
        const receipt = receiptFor({ tid: tenantId, sub: userId });
        const signed = confirmation({ claims: claimsOf(first) }, { tenantId, userId, receipt });
        expect(await codeOf(verifyEvidence(signed, first))).toBe('accepted');
        const isSame = JSON.stringify(first) === JSON.stringify(second);
        expect((await codeOf(verifyEvidence(signed, second))) === 'accepted').toBe(isSame);
      }),
    );
  });

  test('is rejected after any change of one character', async () => {
    const jws = signJws();
    const position = fc.integer({ min: 0, max: jws.length - 1 });
    const character = fc.constantFrom(...Array.from('ABCxyz019-_.=+/ \n'));
    await fc.assert(
      fc.asyncProperty(position, character, async (at, other) => {
        fc.pre(jws[at] !== other);
        const changed = `${jws.slice(0, at)}${other}${jws.slice(at + 1)}`;
        expect(await check({}, { evidence: changed })).not.toBe('accepted');
      }),
      { numRuns: 500 },
    );
  });

  test('is a JWS or malformed, for all texts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.base64String(), fc.json()), async (evidence) => {
        expect(await check({}, { evidence })).toBe('malformed');
      }),
    );
  });
});
