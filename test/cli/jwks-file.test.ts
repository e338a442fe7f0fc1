import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, test } from '@jest/globals';
import { parseJwks, thumbprintOf } from '../../cli/clients/jwks-file.ts';
import { newJwk } from './new-jwk.ts';

const ec = newJwk('EC', {});
const rsa = newJwk('RSA', {});

const parse = (...keys: object[]) => parseJwks(JSON.stringify({ keys }), 'keys.json');

const ecOn = (namedCurve: string): JsonWebKey =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' });

describe('the keys of a client', () => {
  test('have one algorithm each and no unnecessary members', () => {
    const [first, second] = [
      { ...ec, kid: 'a', use: 'sig', key_ops: ['verify'], x5t: 'x' },
      { ...rsa, alg: 'RS256' },
    ];
    expect(parse(first, second)).toEqual([
      { ...ec, kid: 'a', alg: 'ES256' },
      { ...rsa, alg: 'RS256' },
    ]);
  });

  test('have the thumbprints of RFC 7638', async () => {
    for (const key of parse(ec, rsa))
      expect(thumbprintOf(key)).toBe(await calculateJwkThumbprint({ ...key, kid: 'any' }));
  });

  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });

  test.each<[string, object[], string]>([
    ['no keys', [], 'not a JWK Set'],
    ['eleven keys', Array<object>(11).fill(ec), 'not a JWK Set'],
    ['a private RSA key', [privateKey], 'private key'],
    ['a shared secret', [{ kty: 'oct', k: 'c2VjcmV0' }], 'private key'],
    ['a key for encryption', [{ ...ec, use: 'enc' }], 'not for signatures'],
    ['a key that only signs', [{ ...ec, key_ops: ['sign'] }], 'not for signatures'],
    ['P-384', [ecOn('P-384')], 'not supported'],
    ['P-256 with another algorithm', [{ ...ec, alg: 'ES384' }], 'not supported'],
    ['RSA with PS256', [{ ...rsa, alg: 'PS256' }], 'not supported'],
    ['RSA with none', [{ ...rsa, alg: 'none' }], 'not supported'],
    ['a kid that is no text', [{ ...ec, kid: 7 }], 'not supported'],
    ['a point that is not on the curve', [{ ...ec, y: ec.x }], 'not a valid public key'],
    ['1,024 bits', [weak], '1024 bits'],
    ['an exponent of 1', [{ ...rsa, e: 'AQ' }], 'exponent 1'],
    [
      'two keys with one kid',
      [
        { ...ec, kid: 'a' },
        { ...rsa, kid: 'a' },
      ],
      'same "kid"',
    ],
  ])('are rejected with %s', (_, keys, reason) => {
    expect(() => parse(...keys)).toThrow(reason);
  });

  test.each(['', '{', '[]', '{"keys":{}}', JSON.stringify(ec)])(
    'are rejected if the file contains %j',
    (text) => {
      expect(() => parseJwks(text, 'keys.json')).toThrow('keys.json is not a JWK Set');
    },
  );

  test('are not read from a PEM file', () => {
    const pem = createPublicKey({ key: ec, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    expect(() => parseJwks(String(pem), 'keys.pem')).toThrow('keys.pem is not a JWK Set');
  });
});
