import { isAllowed, type Log } from './evaluation.ts';
import { parsePolicy } from './policy.ts';
import type { Role } from './roles.ts';
import type { Identity } from '../sts/sessions.ts';

export type Assumption = { caller: Identity; sessionName: string; externalId: string | undefined };

/** True if the role's trust policy lets the caller assume it. */
export function trusts(
  { trustPolicy }: Role,
  { caller, sessionName, externalId }: Assumption,
  log: Log,
): boolean {
  const request = {
    action: 'sts:AssumeRole',
    caller,
    context: {
      'sts:ExternalId': externalId,
      'sts:RoleSessionName': sessionName,
      'aws:PrincipalArn': caller.principalArn,
      'aws:PrincipalAccount': caller.account,
      'aws:PrincipalType': caller.isRoleSession ? 'AssumedRole' : 'User',
      'aws:userid': caller.userId,
      // Only AWS services set the source, and nobody here has a second factor.
      'aws:SourceAccount': undefined,
      'aws:SourceArn': undefined,
      'aws:MultiFactorAuthPresent': undefined,
    },
  };
  return isAllowed([parsePolicy(trustPolicy, 'trust')], request, log);
}
