/** Policies of tenants' keys, and what is agreed about a key. */
import { accountRootOf, type ArnParts, parseArn } from './arn.ts';
import { keyAdministration } from './key-policies.ts';
import { policy, type PolicyDocument } from './policy-document.ts';

/** The whole policy of a key: it replaces the one that the key has. Without an ARN, the key does not exist yet. */
export type KeyPolicy = { keyArn?: string; document: PolicyDocument };

export const oneKey = 'expected either a key or a new key';

export function isOneKey({
  kmsKeyArn: key,
  newKey,
}: {
  kmsKeyArn?: string | undefined;
  newKey?: unknown;
}): boolean {
  return key === undefined || newKey === undefined;
}

export const rootOf = (arn: string): string => accountRootOf(parseArn(arn));

/** @param key its ARN, or where it will be */
export const keyPolicy = (
  key: string | Pick<ArnParts, 'partition' | 'account'>,
  grant: PolicyDocument['Statement'][number],
): KeyPolicy =>
  typeof key === 'string'
    ? { keyArn: key, document: policy(keyAdministration(rootOf(key)), grant) }
    : { document: policy(keyAdministration(accountRootOf(key)), grant) };
