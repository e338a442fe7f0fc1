import { accessKeyOf } from '../../endpoint/caller.ts';
import type { Backend } from '../../endpoint/http.ts';
import type { Roles } from './roles.ts';
import type { Sessions } from '../sts/sessions.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { parseForm, queryResponse } from '../../protocols/query.ts';
import { deletePolicy, listPolicies, putPolicy, readPolicy } from './policy-operations.ts';
import {
  createRole,
  deleteRole,
  type IamOperation,
  listRoles,
  readRole,
  updateTrust,
} from './role-operations.ts';

const namespace = 'https://iam.amazonaws.com/doc/2010-05-08/';

const operations: Readonly<Record<string, IamOperation>> = {
  CreateRole: createRole,
  GetRole: readRole,
  ListRoles: listRoles,
  UpdateAssumeRolePolicy: updateTrust,
  DeleteRole: deleteRole,
  PutRolePolicy: putPolicy,
  GetRolePolicy: readPolicy,
  ListRolePolicies: listPolicies,
  DeleteRolePolicy: deletePolicy,
};

/**
 * IAM's operations for roles. The access key selects the account: an account number (`accessKeyId: '111122223333'`)
 * selects that account, the key of a session the account of its role, any other key the local account.
 */
export function createIam(roles: Roles, sessions: Pick<Sessions, 'identify'>): Backend {
  return (request) => {
    const { operation, input } = parseForm(request);
    const run = operations[operation];
    if (!run) throw new AwsServiceError(400, 'InvalidAction', `Could not find operation ${operation}`);
    const { account } = sessions.identify(accessKeyOf(request));
    return queryResponse(operation, namespace, run({ roles, account }, input));
  };
}
