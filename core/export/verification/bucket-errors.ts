import type { Fault } from '../targets/target.ts';
import { notNow, verificationFault, type VerificationCode } from './verification-checks.ts';
import { nameOf } from '../delivery/delivery-faults.ts';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** An answer to HEAD has no body, so its status is all that it tells. */
function statusOf(error: unknown): number | undefined {
  const metadata = (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata;
  return metadata?.httpStatusCode;
}

/** Of credentials that S3 does not know yet, or of clocks: nobody's policy is wrong ("Error responses" of S3). */
const aboutTheCaller = new Set([
  'InvalidAccessKeyId',
  'InvalidToken',
  'ExpiredToken',
  'SignatureDoesNotMatch',
  'RequestTimeTooSkewed',
]);

/** S3 quotes KMS: `KMS.DisabledException` and others, or a refusal that names the action of KMS. */
const isOfKey = (name: string, message: string): boolean =>
  name.startsWith('KMS.') || (name === 'AccessDenied' && /\bkms:/.test(message));

/**
 * S3 refuses alike where the bucket's policy does not let the role in, and where the bucket is not the expected owner's:
 * whose it is, it does not say.
 */
const refusalOf = (
  code: Extract<VerificationCode, 'BucketClosed' | 'BucketNotWritable'>,
  message: string,
  owner: string | undefined,
): Fault => {
  const fault = verificationFault(code, message);
  if (owner === undefined) return fault;
  return {
    ...fault,
    reason: `${fault.reason} Or the bucket is not that of the account ${owner}: another account that took its name gets nothing.`,
  };
};

/**
 * @param refused what a refusal by the bucket's policy means
 * @param owner the account that the bucket must be in
 */
export function explainBucketError(
  error: unknown,
  refused: Extract<VerificationCode, 'BucketClosed' | 'BucketNotWritable'>,
  owner?: string,
): Fault {
  const [name, message, status = 0] = [nameOf(error), messageOf(error), statusOf(error)];
  // Those of KMS, too: it may be throttled or away like the rest.
  if (status < 400 || status >= 500 || aboutTheCaller.has(name)) return notNow(name);
  if (isOfKey(name, message)) return verificationFault('BucketKeyNotUsable', message);
  if (status === 404) return verificationFault('BucketMissing', message);
  return status === 403 ? refusalOf(refused, message, owner) : notNow(name);
}

/** The bucket is there, the object is not, or has nothing in it. */
export const isMissingObject = (error: unknown): boolean =>
  ['NoSuchKey', 'InvalidRange'].includes(nameOf(error));
