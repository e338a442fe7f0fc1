/**
 * What is tested of a target before it goes live, and daily after that, and what is told where it does not hold: who must
 * act, and which statement of the policies that the service publishes is to change. What the exporter would meet, too,
 * is told in its words, by the codes of AWS.
 */
import type { StatementPlace } from './tenant-policies/statement-place.ts';
import type { Transition } from '../targets/state-machine.ts';
import type { Fault } from '../targets/target.ts';

/** What becomes of a live target; one that is not live yet stays as it is. */
export type Consequence = Extract<Transition, 'park' | 'revoke'>;

export type Check = {
  proves: string;
  actor: Fault['actor'];
  reason: string;
  consequence: Consequence;
  change?: StatementPlace;
  /** The bucket is not the one whose ownership was proven. */
  endsOwnership?: true;
};

export const trustStatement: StatementPlace = { document: 'trustPolicy', sid: 'AssumedByTheExporter' };

/**
 * By code. A bucket that fails loses its trust and is not parked: Firehose would take its events all the same, and lose them
 * after a day ("Data delivery failure handling" in its guide).
 */
export const checks = {
  OpenWithoutExternalId: {
    proves: 'Nobody can have the service write to the stream who does not present the external id.',
    actor: 'tenant',
    reason:
      'The role can be assumed without an external id. The tenant must require the external id in the trust policy, with StringEquals on sts:ExternalId.',
    consequence: 'revoke',
    change: trustStatement,
  },
  OpenToAnyExternalId: {
    proves: 'The trust policy compares the external id with the one that was agreed on.',
    actor: 'tenant',
    reason:
      'The role can be assumed with another external id than the one that was agreed on. The tenant must compare sts:ExternalId by StringEquals with that one alone, without patterns.',
    consequence: 'revoke',
    change: trustStatement,
  },
  DeliveryRoleNotUsable: {
    proves: "The operator's delivery role for the tenant is there.",
    actor: 'operator',
    reason:
      "The tenant's delivery role cannot be assumed: it does not exist, or does not trust the service. The operator must register the target's bucket again, which makes it anew.",
    // The fault may lie in this test alone: Firehose assumes the role by a trust of its own.
    consequence: 'park',
  },
  BucketMissing: {
    proves: 'The bucket exists.',
    actor: 'tenant',
    reason: 'The bucket does not exist. The tenant must create it, or name another to the operator.',
    consequence: 'revoke',
    endsOwnership: true,
  },
  BucketClosed: {
    proves: 'The delivery role finds the bucket.',
    actor: 'tenant',
    reason:
      'The delivery role may not look at the bucket. The tenant must allow it s3:ListBucket and s3:GetBucketLocation in the bucket policy.',
    consequence: 'revoke',
    change: { document: 'bucketPolicy', sid: 'FindTheBucket' },
  },
  BucketElsewhere: {
    proves: 'Bucket and key are in the same region, as S3 asks.',
    actor: 'tenant',
    reason:
      'The bucket and its key are in different regions. The tenant must name a bucket and a key of one region to the operator.',
    consequence: 'revoke',
    endsOwnership: true,
  },
  BucketNotWritable: {
    proves: 'The bucket policy lets the delivery role write.',
    actor: 'tenant',
    reason:
      'The delivery role may not write into the bucket. The tenant must allow it s3:PutObject, s3:PutObjectAcl and s3:GetObject on the objects in the bucket policy.',
    consequence: 'revoke',
    change: { document: 'bucketPolicy', sid: 'WriteObjects' },
  },
  BucketKeyNotUsable: {
    proves: 'The key is enabled, and its policy lets the delivery role use it.',
    actor: 'tenant',
    reason:
      "The delivery role cannot use the bucket's key. The key must be enabled, and the tenant must allow the role kms:GenerateDataKey and kms:Decrypt in the key's policy.",
    consequence: 'revoke',
    change: { document: 'keyPolicy', sid: 'EncryptObjects' },
  },
  OwnershipUnproven: {
    proves: 'The bucket belongs to whom the events are about: only its owner reads what is in it.',
    actor: 'tenant',
    reason: 'That the bucket belongs to the tenant is not proven.',
    consequence: 'revoke',
  },
  WrongProof: {
    proves: 'Who registered the bucket has read what the service wrote into it.',
    actor: 'tenant',
    reason: 'The text that was given is not the one in the bucket.',
    consequence: 'revoke',
  },
} as const satisfies Record<string, Check>;
