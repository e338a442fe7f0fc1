import type { Target } from '../../core/export/targets/target.ts';
import { faultOf } from '../../core/export/targets/target-status.ts';
import { agreedFor, tenantDocuments } from '../../core/export/kinds/policies/tenant-documents.ts';
import { statementToChange } from '../../core/export/kinds/checks.ts';
import { whatIsProven } from '../../core/export/kinds/what-is-proven.ts';
import { operatorOf } from '../deployment/account-client.ts';
import type { Deployment } from '../deployment/deployment.ts';

type Change = NonNullable<ReturnType<typeof statementToChange>>;

/** The fault's code, the check that failed, and the statement that the tenant's policies must have. */
export type TestFinding = { code?: string; check?: string; change?: Change };

export async function explainFault(deployment: Deployment, target: Target): Promise<TestFinding> {
  const fault = faultOf(target);
  if (!fault) return {};
  const check = whatIsProven(fault.code);
  const change = await changeFor(deployment, target, fault.code);
  return { code: fault.code, ...(check !== undefined && { check }), ...(change && { change }) };
}

async function changeFor(deployment: Deployment, target: Target, code: string): Promise<Change | undefined> {
  const agreed = agreedFor(target, await operatorOf(deployment));
  return agreed && statementToChange(code, tenantDocuments(agreed));
}

export const describeFinding = ({ check, change }: TestFinding): string =>
  [
    ...(check === undefined ? [] : [`Failed check: ${check}`]),
    ...(change
      ? [
          `The tenant's ${names[change.document]} must have this statement:\n${JSON.stringify(change.statement, null, 2)}`,
        ]
      : []),
  ].join('\n');

const names: Record<Change['document'], string> = {
  trustPolicy: "role's trust policy",
  permissionPolicy: "role's permissions",
  bucketPolicy: 'bucket policy',
  keyPolicy: 'key policy',
};
