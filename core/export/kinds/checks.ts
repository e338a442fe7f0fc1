import { otherFault } from '../delivery/delivery-faults.ts';
import { vendorMessage } from '../targets/vendor-message.ts';
import type { Transition } from '../targets/state-machine.ts';
import type { Fault } from '../targets/target.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { statementAt, type StatementPlace, type StatementToChange } from './policies/statement-place.ts';
import type { TenantDocuments } from './policies/tenant-documents.ts';

/** The transition of a target that gets events. */
export type Consequence = Extract<Transition, 'park' | 'revoke'>;

type Check = {
  actor: Fault['actor'];
  reason: string;
  consequence: Consequence;
  change?: StatementPlace;
  /** The bucket is not the one whose ownership was proven. */
  endsOwnership?: true;
  /** A repeated test finds the same: the owner must give a text to the operator. */
  awaitsOwner?: true;
};

const trustStatement: StatementPlace = { document: 'trustPolicy', sid: 'AssumedByTheExporter' };

/**
 * By code. A bucket that fails loses its trust and is not parked: Firehose would still take its events, and lose them
 * after a day ("Data delivery failure handling" in its guide).
 */
export const checks = {
  OpenWithoutExternalId: {
    actor: 'tenant',
    reason:
      'The role can be assumed without an external id. The tenant must require the external id in the trust policy, with StringEquals on sts:ExternalId.',
    consequence: 'revoke',
    change: trustStatement,
  },
  OpenToAnyExternalId: {
    actor: 'tenant',
    reason:
      'The role can be assumed with another external id than the one that was agreed on. The tenant must compare sts:ExternalId with exactly that one, by StringEquals and without patterns.',
    consequence: 'revoke',
    change: trustStatement,
  },
  DeliveryRoleNotUsable: {
    actor: 'operator',
    reason:
      "The tenant's delivery role cannot be assumed: it does not exist, or does not trust the service. The operator must register the target's bucket again, which creates the role again.",
    // Only this test may be affected: Firehose assumes the role by another statement of its trust policy.
    consequence: 'park',
  },
  BucketMissing: {
    actor: 'tenant',
    reason: 'The bucket does not exist. The tenant must create it, or tell the operator which bucket to use.',
    consequence: 'revoke',
    endsOwnership: true,
  },
  BucketClosed: {
    actor: 'tenant',
    reason:
      'The delivery role may not list the bucket. The tenant must allow it s3:ListBucket and s3:GetBucketLocation in the bucket policy.',
    consequence: 'revoke',
    change: { document: 'bucketPolicy', sid: 'FindTheBucket' },
  },
  BucketElsewhere: {
    actor: 'tenant',
    reason:
      'The bucket and its key are in different regions. The tenant must name a bucket and a key of one region to the operator.',
    consequence: 'revoke',
    endsOwnership: true,
  },
  BucketNotWritable: {
    actor: 'tenant',
    reason:
      'The delivery role may not write into the bucket. The tenant must allow it s3:PutObject, s3:PutObjectAcl and s3:GetObject on the objects in the bucket policy.',
    consequence: 'revoke',
    change: { document: 'bucketPolicy', sid: 'WriteObjects' },
  },
  BucketKeyNotUsable: {
    actor: 'tenant',
    reason:
      "The delivery role cannot use the bucket's key. The key must be enabled, and the tenant must allow the role kms:GenerateDataKey and kms:Decrypt in the key's policy.",
    consequence: 'revoke',
    change: { document: 'keyPolicy', sid: 'EncryptObjects' },
  },
  OwnershipUnproven: {
    actor: 'tenant',
    reason: 'It is not proven that the bucket belongs to the tenant.',
    consequence: 'revoke',
    awaitsOwner: true,
  },
  WrongProof: {
    actor: 'tenant',
    reason: 'The given text is not the text in the bucket.',
    consequence: 'revoke',
    awaitsOwner: true,
  },
  WebhookUnproven: {
    actor: 'tenant',
    reason:
      'The receiver did not answer the verification. The tenant must let it answer a signed {"type":"omi.verification","challenge":"…"} with 200 and {"challenge":"…"}, the same text.',
    consequence: 'revoke',
  },
} as const satisfies Record<string, Check>;

export type VerificationCode = keyof typeof checks;

export const verificationCodes = Object.keys(checks) as VerificationCode[];

/** Distinguishes these faults from those of AWS and of provisioning. */
export const prefix = 'Verification.';

/** @param detail the message of AWS */
export function verificationFault(code: VerificationCode, detail = ''): Fault {
  const { actor, reason } = checks[code];
  return { actor, code: `${prefix}${code}`, reason: `${reason}${vendorMessage(detail)}` };
}

/** One of the two faults that the tenant removes by reading an object. */
export function ownershipFault(
  code: 'OwnershipUnproven' | 'WrongProof',
  { tenantId, category }: TargetRef,
  place: { bucket: string; object: string },
): Fault {
  const { reason, ...fault } = verificationFault(code);
  const steps = `The tenant must read the object ${place.object} in the bucket ${place.bucket} and tell the operator the text in it. The operator passes it on: omi target test --tenant ${tenantId} --category ${category} --proof <text>`;
  return { ...fault, reason: `${reason} ${steps}` };
}

/** The test itself could not be made. That says nothing about the target, and the test is repeated. */
export const notNow = (code: string): Fault => ({
  code,
  ...otherFault(code, 'AWS is throttled or unavailable. The test is repeated.'),
});

const byCode: Readonly<Record<string, Check>> = checks;

const checkOf = (code: string): Check | undefined =>
  code.startsWith(prefix) ? byCode[code.slice(prefix.length)] : undefined;

/** Faults that the exporter meets, too, have the same consequence there. */
export const consequenceOf = ({ code }: Fault): Consequence => checkOf(code)?.consequence ?? 'park';

/** By codes of AWS that the exporter meets, too: the statement of the tenant's policies to change. */
const changesByAwsCode: Readonly<Record<string, StatementPlace>> = {
  AccessDenied: trustStatement,
  AccessDeniedException: { document: 'permissionPolicy' },
  KMSAccessDeniedException: { document: 'keyPolicy', sid: 'EncryptRecords' },
};

/**
 * The statement of the tenant's policies that removes a fault.
 *
 * @param code of the fault in the target's record
 * @returns nothing if no policy is wrong, or the target has no such policy
 */
export function statementToChange(code: string, documents: TenantDocuments): StatementToChange | undefined {
  const place = checkOf(code)?.change ?? changesByAwsCode[code];
  return place && statementAt(place, documents);
}

export const endsOwnership = ({ code }: Fault): boolean => checkOf(code)?.endsOwnership ?? false;

export const awaitsOwner = ({ code }: Fault): boolean => checkOf(code)?.awaitsOwner ?? false;

/** A check failed. The checks after it were not made. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.code, options);
    this.fault = fault;
  }
}
