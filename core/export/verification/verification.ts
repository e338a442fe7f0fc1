/** What a test of a target finds, and what follows from it for the target, the tenant and the operator. */
import { vendorMessage } from '../targets/vendor-message.ts';
import type { Fault } from '../targets/target.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import {
  statementAt,
  type StatementPlace,
  type StatementToChange,
} from './tenant-policies/statement-place.ts';
import type { TenantDocuments } from './tenant-policies/tenant-documents.ts';
import { checks, trustStatement, type Check, type Consequence } from './verification-checks.ts';

export type VerificationCode = keyof typeof checks;

export const verificationCodes = Object.keys(checks) as VerificationCode[];

/** Tells these faults from those that AWS names, and from those of provisioning. */
const prefix = 'Verification.';

/** @param told what AWS says of it */
export function verificationFault(code: VerificationCode, told = ''): Fault {
  const { actor, reason } = checks[code];
  return { actor, code: `${prefix}${code}`, reason: `${reason}${vendorMessage(told)}` };
}

/** Either of the two that the tenant removes by reading an object. */
export function ownershipFault(
  code: 'OwnershipUnproven' | 'WrongProof',
  { tenantId, category }: TargetRef,
  place: { bucket: string; object: string },
): Fault {
  const { reason, ...fault } = verificationFault(code);
  const steps = `The tenant must read the object ${place.object} in the bucket ${place.bucket} and tell the operator the text in it, who passes it on: omi target test --tenant ${tenantId} --category ${category} --proof <text>`;
  return { ...fault, reason: `${reason} ${steps}` };
}

/** Something keeps the test itself from being done. It comes again, and says nothing about the target. */
export const notNow = (code: string): Fault => ({
  actor: 'nobody',
  code,
  reason: 'AWS throttles, or is unavailable for the moment. The test is made again.',
});

const byCode: Readonly<Record<string, Check>> = checks;

const checkOf = (code: string): Check | undefined =>
  code.startsWith(prefix) ? byCode[code.slice(prefix.length)] : undefined;

/** What the check that found this fault is for. */
export const whatIsProven = (code: string): string | undefined => checkOf(code)?.proves;

/** Of a fault that the exporter meets, too, the same as there: who must act is waited for. */
export const consequenceOf = ({ code }: Fault): Consequence => checkOf(code)?.consequence ?? 'park';

/** By the code of a fault that the exporter meets, too, what in the tenant's policies it is about. */
const changesByAwsCode: Readonly<Record<string, StatementPlace>> = {
  AccessDenied: trustStatement,
  AccessDeniedException: { document: 'permissionPolicy', sid: 'WriteToTheStream' },
  KMSAccessDeniedException: { document: 'keyPolicy', sid: 'EncryptRecords' },
};

/**
 * What in the tenant's policies removes a fault.
 *
 * @param code of the fault in the target's record
 * @returns nothing where no policy is wrong, or the target has no such policy
 */
export function statementToChange(code: string, documents: TenantDocuments): StatementToChange | undefined {
  const place = checkOf(code)?.change ?? changesByAwsCode[code];
  return place && statementAt(place, documents);
}

export const endsOwnership = ({ code }: Fault): boolean => checkOf(code)?.endsOwnership ?? false;

/** A check did not pass; everything after it was not looked at. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.code, options);
    this.fault = fault;
  }
}
