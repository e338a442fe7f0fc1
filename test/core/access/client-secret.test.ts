import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { isClientSecret, secretHashOf } from '../../../core/access/client-secret.ts';

test('a hash is the SHA-256 of the secret in base64url', () => {
  expect(secretHashOf('näme')).toBe(createHash('sha256').update('näme', 'utf8').digest('base64url'));
});

test('each valid secret is accepted', () => {
  const hashes = [secretHashOf('new'), secretHashOf('old')];

  expect(
    ['new', 'old', 'other', '', hashes[0] ?? ''].map((secret) => isClientSecret(secret, hashes)),
  ).toEqual([true, true, false, false, false]);
});

test('without hashes, or with malformed ones, no secret is accepted', () => {
  expect(isClientSecret('', [])).toBe(false);
  expect(isClientSecret('', [''])).toBe(false);
});
