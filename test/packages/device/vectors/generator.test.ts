/** The vectors are what their sources say, and what their sources say is deterministic. */
import { createPublicKey, verify } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  derOf,
  mirrored,
  p256,
  p384,
  publicPoint,
  signDeterministically,
  type Curve,
} from '../../../../packages/device/vectors/generator/deterministic-ecdsa.ts';
import { messageFile, messageKinds } from './vectors.ts';

test('every file is tested', () => {
  const files = readdirSync('packages/device/vectors').filter((name) => name.endsWith('.json'));
  const others = ['enrolment-link', 'evidence', 'message-hash'];
  expect(files.sort()).toEqual([...messageKinds, ...others].map((name) => `${name}.json`).sort());
});

test.each(messageKinds)('each vector of %s is another message, with a name of its own', (kind) => {
  const { vectors } = messageFile(kind);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  const sent = vectors.map(
    ({ jws, challenge, enrolment, after, path, platform, passkey, userVerification }) =>
      JSON.stringify([jws, challenge, enrolment, after, path, platform, passkey, userVerification]),
  );
  expect(new Set(sent).size).toBe(vectors.length);
});

test.each(messageKinds)('%s shows header and claims as they are in the bytes', (kind) => {
  for (const { header, claims, jws, expected } of messageFile(kind).vectors) {
    if (expected.status >= 300) continue;
    const [headerText, claimsText] = jws.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect([headerText, claimsText]).toEqual([JSON.stringify(header), JSON.stringify(claims)]);
  }
});

describe('the deterministic signature', () => {
  /** RFC 6979, A.2.5. */
  const secret = Buffer.from('c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721', 'hex');
  test.each([
    [
      'sample',
      'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
    ],
    [
      'test',
      'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
    ],
  ])('of "%s" is that of RFC 6979', (text, signature) => {
    expect(signDeterministically(Buffer.from(text), secret, p256).toString('hex')).toBe(signature);
  });

  test.each([
    ['P-256', p256],
    ['P-384', p384],
  ])('by %s verifies in all of its forms', (crv, curve: Curve) => {
    const privateKey = Buffer.alloc(curve.bytes, 7);
    const { x, y } = publicPoint(privateKey, curve);
    const jwk = { kty: 'EC', crv, x: x.toString('base64url'), y: y.toString('base64url') };
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    for (let index = 0; index < 50; index += 1) {
      const data = Buffer.from(`message ${index}`);
      const signature = signDeterministically(data, privateKey, curve);
      expect(verify(curve.hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
      expect(verify(curve.hash, data, { key, dsaEncoding: 'ieee-p1363' }, mirrored(signature, curve))).toBe(
        true,
      );
      expect(verify(curve.hash, data, { key, dsaEncoding: 'der' }, derOf(signature, curve))).toBe(true);
    }
  });
});
