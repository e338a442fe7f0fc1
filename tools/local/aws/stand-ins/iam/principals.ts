import type { Statement } from './policy.ts';

/** A user or a session of a role, or one of AWS's services. */
export type Caller = { account: string; principalArn: string; arn: string } | { service: string };

/** Whether a statement names the caller: by its ARN, by its role's, or by its account, which stands for everybody in it. */
export function includesCaller({ AWS = [], Service = [] }: Statement['principals'], caller: Caller): boolean {
  if ('service' in caller) return Service.includes(caller.service);
  const { account, principalArn, arn } = caller;
  const names = ['*', account, `arn:aws:iam::${account}:root`, principalArn, arn];
  return AWS.some((principal) => names.includes(principal));
}
