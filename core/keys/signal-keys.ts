import { createHash } from 'node:crypto';

/** The keys that sign signals, by their ids in KMS. The first one signs; all are published. */
export const keyIdsIn = (variable: string): readonly [string, ...string[]] =>
  variable.split(',') as [string, ...string[]];

/** A name for a key that those who sign know without asking KMS, and that says nothing of the operator's account. */
export const kidOfKeyId = (keyId: string): string =>
  createHash('sha256').update(keyId).digest('base64url').slice(0, 16);
