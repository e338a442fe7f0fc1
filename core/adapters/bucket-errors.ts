import type { Fault } from '../domain/target.ts';
import { notNow, verificationFault, type VerificationCode } from '../domain/verification.ts';
import { nameOf } from './delivery-faults.ts';

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

/** @param refused what a refusal by the bucket's policy means */
export function explainBucketError(
  error: unknown,
  refused: Extract<VerificationCode, 'BucketClosed' | 'BucketNotWritable'>,
): Fault {
  const [name, message, status = 0] = [nameOf(error), messageOf(error), statusOf(error)];
  // Those of KMS, too: it may be throttled or away like the rest.
  if (status < 400 || status >= 500 || aboutTheCaller.has(name)) return notNow(name);
  if (isOfKey(name, message)) return verificationFault('BucketKeyNotUsable', message);
  if (status === 404) return verificationFault('BucketMissing', message);
  return status === 403 ? verificationFault(refused, message) : notNow(name);
}

/** The bucket is there, the object is not, or has nothing in it. */
export const isMissingObject = (error: unknown): boolean =>
  ['NoSuchKey', 'InvalidRange'].includes(nameOf(error));
