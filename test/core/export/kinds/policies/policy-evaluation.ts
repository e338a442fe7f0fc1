import type { PolicyDocument } from '../../../../../core/export/kinds/policies/policy-document.ts';
import { isAllowed as evaluate } from '../../../../../tools/local/aws/stand-ins/iam/evaluation.ts';
import { parsePolicy } from '../../../../../tools/local/aws/stand-ins/iam/policy.ts';
import type { Caller } from '../../../../../tools/local/aws/stand-ins/iam/principals.ts';

export type Request = {
  /** A role's ARN, or a service. */
  caller: string;
  action: string;
  resource?: string;
  context?: Record<string, string>;
};

/** IAM's decision about one policy, by the evaluator of the local stack. */
export function isAllowed(document: PolicyDocument, request: Request): boolean {
  const { caller, action, resource, context } = request;
  const hasPrincipals = document.Statement.some(({ Principal }) => Principal !== undefined);
  const hasResources = document.Statement.some(({ Resource }) => Resource !== undefined);
  const ofResourceOrRole = hasResources ? 'resource' : 'trust';
  const policy = parsePolicy(JSON.stringify(document), hasPrincipals ? ofResourceOrRole : 'permissions');
  const asked = { action, resource, context: { 'aws:PrincipalArn': caller, ...context } };
  return evaluate([policy], hasPrincipals ? { ...asked, caller: callerOf(caller) } : asked, () => undefined);
}

function callerOf(caller: string): Caller {
  const account = caller.split(':')[4];
  return account === undefined ? { service: caller } : { account, principalArn: caller, arn: caller };
}
