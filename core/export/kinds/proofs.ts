import { prefix, type VerificationCode } from './checks.ts';

/** Apart from the checks, as the Lambda that makes them tells nobody. */
const proofs: Readonly<Record<VerificationCode, string>> = {
  OpenWithoutExternalId: 'Without the external id nobody can make the service use the role.',
  OpenToAnyExternalId: 'The trust policy compares the external id with the one that was agreed on.',
  DeliveryRoleNotUsable: "The operator's delivery role for the tenant exists.",
  BucketMissing: 'The bucket exists.',
  BucketClosed: 'The delivery role can find the bucket.',
  BucketElsewhere: 'Bucket and key are in the same region, as S3 requires.',
  BucketNotWritable: 'The bucket policy lets the delivery role write.',
  BucketKeyNotUsable: 'The key is enabled, and its policy lets the delivery role use it.',
  OwnershipUnproven: 'The bucket belongs to the tenant: only its owner can read what is in it.',
  WrongProof: 'The tenant has read what the service wrote into the bucket.',
  WebhookUnproven:
    'The receiver of the webhook accepts the events: it answers the verification with its challenge.',
};

const byCode: Readonly<Record<string, string>> = proofs;

/** What the check that found this fault proves. */
export const proofOf = (code: string): string | undefined =>
  code.startsWith(prefix) ? byCode[code.slice(prefix.length)] : undefined;
