import type { Failure } from './description.ts';
import type { Destination } from './destination.ts';
import { invalidArgument } from './errors.ts';

/**
 * The ARNs of roles and keys that Firehose cannot use: a role that IAM does not show it yet, or that is gone; a key
 * that is disabled. All others can be used.
 */
export type FailingArns = Set<string>;

/** Firehose tries the role before it takes a configuration. */
export function assertAssumable(failingArns: FailingArns, { roleArn }: Destination): void {
  if (!failingArns.has(roleArn)) return;
  throw invalidArgument(`Firehose is unable to assume role ${roleArn}. Please check the role provided.`);
}

/** What makes a creation that has begun fail. */
export function failureOf(
  failingArns: FailingArns,
  { roleArn, kmsKeyArn = '' }: Destination,
): Failure | undefined {
  if (failingArns.has(kmsKeyArn)) return { Type: 'DISABLED_KMS_KEY', Details: `${kmsKeyArn} is disabled.` };
  if (failingArns.has(roleArn)) return { Type: 'UNKNOWN_ERROR', Details: `${roleArn} cannot be assumed.` };
  return undefined;
}
