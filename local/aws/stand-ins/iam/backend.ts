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
  tagRole,
  updateTrust,
} from './role-operations.ts';

const NAMESPACE = 'https://iam.amazonaws.com/doc/2010-05-08/';

const CALLS: Readonly<Record<string, IamOperation>> = {
  CreateRole: createRole,
  GetRole: readRole,
  ListRoles: listRoles,
  UpdateAssumeRolePolicy: updateTrust,
  TagRole: tagRole,
  DeleteRole: deleteRole,
  PutRolePolicy: putPolicy,
  GetRolePolicy: readPolicy,
  ListRolePolicies: listPolicies,
  DeleteRolePolicy: deletePolicy,
};

/**
 * The part of IAM that makes and changes roles. Whose roles, the access key says: one that is the number of an account
 * is of that account (`accessKeyId: '111122223333'`), the key of a session is of its role's, any other of the local one.
 */
export function createIam(roles: Roles, sessions: Pick<Sessions, 'identify'>): Backend {
  return (request) => {
    const { operation, input } = parseForm(request);
    const call = CALLS[operation];
    if (!call) throw new AwsServiceError(400, 'InvalidAction', `Could not find operation ${operation}`);
    const { account } = sessions.identify(accessKeyOf(request));
    return queryResponse(operation, NAMESPACE, call({ roles, account }, input));
  };
}
