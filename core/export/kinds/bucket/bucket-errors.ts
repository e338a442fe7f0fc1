import type { Fault } from '../../targets/target.ts';
import { notNow, verificationFault, type VerificationCode } from '../checks.ts';
import { nameOf, passesByItself } from '../../delivery/delivery-faults.ts';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** An answer to HEAD has no body, only a status: the SDK calls all but 404 `UnknownError`. */
function statusOf(error: unknown): number | undefined {
  const metadata = (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata;
  return metadata?.httpStatusCode;
}

/** S3 does not know the credentials yet, or clocks differ. No policy is wrong ("Error responses" in S3's guide). */
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
 * S3 gives the same answer if the bucket's policy does not allow the role, and if the bucket does not belong to the expected
 * owner. It does not say who the owner is.
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
    reason: `${fault.reason} Or the bucket does not belong to the account ${owner}: another account that took its name gets no events.`,
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
  const [message, status = 0] = [messageOf(error), statusOf(error)];
  const name = nameOf(error) === 'UnknownError' ? `Http${status}` : nameOf(error);
  if (status < 400 || status >= 500 || status === 429) return notNow(name);
  // Errors of KMS, which may be throttled or unavailable, have a status below 500, too.
  if (aboutTheCaller.has(name) || passesByItself(name)) return notNow(name);
  if (isOfKey(name, message)) return verificationFault('BucketKeyNotUsable', message);
  if (status === 404) return verificationFault('BucketMissing', message);
  return status === 403 ? refusalOf(refused, message, owner) : notNow(name);
}

/** The bucket exists. The object does not, or it is empty. */
export const isMissingObject = (error: unknown): boolean =>
  ['NoSuchKey', 'InvalidRange'].includes(nameOf(error));
