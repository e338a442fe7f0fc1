import { faultOf } from '../../targets/target-status.ts';
import type { Target } from '../../targets/target.ts';
import type { Operator } from './operator-roles.ts';
import type { PolicyDocument, Statement } from './policy-document.ts';
import type { StatementPlace } from './statement-place.ts';
import { agreedFor, tenantDocuments, type TenantDocuments } from './tenant-documents.ts';
import { statementToChange } from '../checks.ts';

/** A policy of the tenant that must change, as it must be. */
export type PolicyToPaste = {
  /** Which policy it is. */
  document: StatementPlace['document'];
  /** The statement that is missing or wrong. */
  statement: Statement;
  /** The whole policy. */
  whole: PolicyDocument;
};

/** @returns nothing if no policy is wrong, or if the target's record does not have all that the policy names */
export function policyToPaste(target: Target, operator: Operator): PolicyToPaste | undefined {
  const fault = faultOf(target) ?? target.bucketTrouble;
  const input = fault && agreedFor(target, operator);
  if (!input) return undefined;
  const documents = tenantDocuments(input);
  const change = statementToChange(fault.code, documents);
  const whole = change && wholeOf(change.document, documents);
  return whole && { ...change, whole };
}

function wholeOf(
  document: StatementPlace['document'],
  { keyPolicy, ...others }: TenantDocuments,
): PolicyDocument | undefined {
  const policies: Partial<Record<string, unknown>> = { ...others, keyPolicy: keyPolicy?.document };
  return policies[document] as PolicyDocument | undefined;
}
