import { ACCOUNT_ID } from '../aws/identity.ts';
import type { Sessions } from '../aws/stand-ins/sts/sessions.ts';
import { STAGE } from '../resources/exports.ts';
import { accessKeyIdOf } from './runtime-environment.ts';

/**
 * Has AWS take each Lambda for a session of its role, named as in the cloud: the tenants' trust policies ask for these
 * names, and a role that such a session assumes lasts an hour at most.
 */
export function assignRoles(sessions: Pick<Sessions, 'bind'>, lambdas: readonly string[]): void {
  for (const name of lambdas)
    sessions.bind(accessKeyIdOf(name), `arn:aws:iam::${ACCOUNT_ID}:role/omi-${STAGE}-${name}`);
}
