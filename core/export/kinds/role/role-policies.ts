/** What lets the service assume a role of the tenant. Nothing here reads its arguments, so they may be placeholders of a template. */
import { byRoleName, policy, type PolicyDocument } from '../policies/policy-document.ts';

export type RoleTrust = {
  /** The operator's account as a principal. */
  operatorRoot: string;
  /** The roles of the operator's exporters. */
  operatorRoleArns: readonly string[];
  externalId: string;
};

/** For the tenant's role: only the service's exporters assume it, and only in this tenant's name. */
export function roleTrustPolicy({ operatorRoot, operatorRoleArns, externalId }: RoleTrust): PolicyDocument {
  const { Principal, Condition } = byRoleName(operatorRoot, operatorRoleArns);
  return policy({
    Sid: 'AssumedByTheExporter',
    Effect: 'Allow',
    Principal,
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { ...Condition.StringEquals, 'sts:ExternalId': externalId } },
  });
}
