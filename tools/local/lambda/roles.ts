import { lambdaRoleNameOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import { accountId, region } from '../aws/identity.ts';
import type { Sessions } from '../aws/stand-ins/sts/sessions.ts';
import { stage } from '../resources/exports.ts';
import { accessKeyIdOf } from './runtime-environment.ts';

/**
 * Makes each Lambda call as a session of its role, which has the same name as in the cloud: tenants' trust policies require
 * these names, and role chaining limits sessions to an hour.
 */
export function assignRoles(sessions: Pick<Sessions, 'bind'>, lambdas: readonly string[]): void {
  for (const name of lambdas)
    sessions.bind(
      accessKeyIdOf(name),
      `arn:aws:iam::${accountId}:role/${lambdaRoleNameOf({ stage, region }, name)}`,
    );
}
