import { isAllowed, type Log } from './evaluation.ts';
import { parsePolicy, type Statement } from './policy.ts';
import type { Role } from './roles.ts';
import type { Identity } from '../sts/sessions.ts';

/** A role's trust in the short form that tests use: one statement that allows `sts:AssumeRole`. */
export type Trust = {
  /** `*`, an account's number, or the ARN of an account's root or of a role. */
  principal: string;
  /** The condition `StringEquals: { 'sts:ExternalId': … }`. */
  externalId?: string;
  /** The condition `StringEquals: { 'aws:PrincipalArn': … }`. */
  principalArn?: string;
};

/** The same as a policy document. */
export function trustDocument({ principal, externalId, principalArn }: Trust): string {
  const equal = {
    ...(externalId !== undefined && { 'sts:ExternalId': externalId }),
    ...(principalArn !== undefined && { 'aws:PrincipalArn': principalArn }),
  };
  const statement = { Effect: 'Allow', Principal: { AWS: principal }, Action: 'sts:AssumeRole' };
  const condition = Object.keys(equal).length > 0 ? { Condition: { StringEquals: equal } } : {};
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ ...statement, ...condition }] });
}

export type Assumption = { caller: Identity; sessionName: string; externalId: string | undefined };

/** Whether the role's trust policy lets this caller in. */
export function trusts(
  { trustPolicy }: Role,
  { caller, sessionName, externalId }: Assumption,
  log: Log,
): boolean {
  const request = {
    action: 'sts:AssumeRole',
    isPrincipal: ({ AWS = [] }: Statement['principals']) => AWS.some((principal) => names(principal, caller)),
    context: {
      'sts:ExternalId': externalId,
      'sts:RoleSessionName': sessionName,
      'aws:PrincipalArn': caller.principalArn,
      'aws:PrincipalAccount': caller.account,
      'aws:PrincipalType': caller.isRoleSession ? 'AssumedRole' : 'User',
      'aws:userid': caller.userId,
      // Only the calls that AWS's services make for somebody else have these, and nobody here has a second factor.
      'aws:SourceAccount': undefined,
      'aws:SourceArn': undefined,
      'aws:MultiFactorAuthPresent': undefined,
    },
  };
  return isAllowed([parsePolicy(trustPolicy, 'trust')], request, log);
}

/** An account, by its number or its root, stands for everybody in it. */
function names(principal: string, { account, principalArn, arn }: Identity): boolean {
  return ['*', account, `arn:aws:iam::${account}:root`, principalArn, arn].includes(principal);
}
