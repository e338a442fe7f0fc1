import type { Failure } from './description.ts';
import type { Destination } from './destination.ts';
import { invalidArgument } from './errors.ts';

/** ARNs of roles that Firehose cannot assume (new or deleted), and of disabled keys. */
export type FailingArns = Set<string>;

/** Firehose assumes the role before it accepts a configuration. */
export function assertAssumable(failingArns: FailingArns, { roleArn }: Destination): void {
  if (!failingArns.has(roleArn)) return;
  throw invalidArgument(`Firehose is unable to assume role ${roleArn}. Please check the role provided.`);
}

/** The reason why a creation fails after it was accepted. */
export function failureOf(
  failingArns: FailingArns,
  { roleArn, kmsKeyArn = '' }: Destination,
): Failure | undefined {
  if (failingArns.has(kmsKeyArn)) return { Type: 'DISABLED_KMS_KEY', Details: `${kmsKeyArn} is disabled.` };
  if (failingArns.has(roleArn)) return { Type: 'UNKNOWN_ERROR', Details: `${roleArn} cannot be assumed.` };
  return undefined;
}
