import { createHash, timingSafeEqual } from 'node:crypto';

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** What is stored of a client's secret. The secret is random, so a plain hash cannot be reversed by guessing. */
export const secretHashOf = (secret: string): string => digestOf(secret).toString('base64url');

/** Compares with every hash in constant time. */
export function isClientSecret(secret: string, hashes: readonly string[]): boolean {
  const digest = digestOf(secret);
  return hashes
    .map((hash) => Buffer.from(hash, 'base64url'))
    .map((hash) => hash.length === digest.length && timingSafeEqual(hash, digest))
    .includes(true);
}
