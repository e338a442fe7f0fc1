import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';

const pairs = {
  EC: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RSA: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

/** A new public key. */
export const newJwk = (kty: keyof typeof pairs, members: Record<string, unknown>): JsonWebKey => ({
  ...pairs[kty]().publicKey.export({ format: 'jwk' }),
  ...members,
});
