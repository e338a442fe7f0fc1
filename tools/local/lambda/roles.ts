import { lambdaRoleNameOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import { ACCOUNT_ID, REGION } from '../aws/identity.ts';
import type { Sessions } from '../aws/stand-ins/sts/sessions.ts';
import { STAGE } from '../resources/exports.ts';
import { accessKeyIdOf } from './runtime-environment.ts';

/**
 * Makes each Lambda call as a session of its role, which has the same name as in the cloud: tenants' trust policies require
 * these names, and role chaining limits sessions to an hour.
 */
export function assignRoles(sessions: Pick<Sessions, 'bind'>, lambdas: readonly string[]): void {
  for (const name of lambdas)
    sessions.bind(
      accessKeyIdOf(name),
      `arn:aws:iam::${ACCOUNT_ID}:role/${lambdaRoleNameOf({ stage: STAGE, region: REGION }, name)}`,
    );
}
