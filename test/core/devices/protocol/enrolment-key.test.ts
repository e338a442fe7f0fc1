import { expect, test } from '@jest/globals';
import { enrolmentKeyOf } from '../../../../core/devices/protocol/enrolment-key.ts';
import { newKeyPair } from '../../../../client/device/simulated-device.ts';

const { publicKey, privateKey } = newKeyPair();
const own = publicKey.export({ format: 'jwk' });

const keyOf = (jwk: unknown) => enrolmentKeyOf({ jws: '', header: { jwk }, claims: {} });

/** Another last character with the same bytes: base64url of 32 bytes has two spare bits. */
const respelt = (text = ''): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + (alphabet[alphabet.indexOf(text.at(-1) ?? '') + 1] ?? '');
};

test.each([
  {},
  { key_ops: ['verify'], ext: true },
  { use: 'sig', alg: 'ES256', kid: '1' },
  { note: 'hello' },
])('a public P-256 key is kept without other members: %j', (others) => {
  expect(keyOf({ ...own, ...others })).toEqual(own);
});

test.each([
  privateKey.export({ format: 'jwk' }),
  { ...own, d: null },
  ...['p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((name) => ({ ...own, [name]: 'c2VjcmV0' })),
  { ...own, use: 'enc' },
  { ...own, alg: 'ECDH-ES' },
  { ...own, key_ops: ['verify', 'sign'] },
  { ...own, key_ops: ['deriveKey'] },
  { ...own, crv: 'P-384' },
  { ...own, kty: 'OKP' },
  { ...own, x: respelt(own.x) },
  { ...own, y: respelt(own.y) },
  { ...own, x: `${own.x ?? ''}A` },
  { ...own, y: undefined },
  undefined,
  'key',
  [own],
])('anything else is rejected: %#', (jwk) => {
  expect(() => keyOf(jwk)).toThrow('a public P-256 key');
});
