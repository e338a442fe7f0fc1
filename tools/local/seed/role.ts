import {
  CreateRoleCommand,
  EntityAlreadyExistsException,
  IAMClient,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import type { PolicyDocument } from '../../../core/export/kinds/policies/policy-document.ts';
import { accessAs, type Aws, using } from './aws-access.ts';

export type RoleSettings = {
  path?: string;
  name: string;
  trustPolicy: PolicyDocument;
  permissionPolicy: PolicyDocument;
  policyName?: string;
};

/** The default name of a role's policy. */
export const rolePolicyName = 'omi';

export const roleNameOf = (roleArn: string): string => roleArn.slice(roleArn.lastIndexOf('/') + 1);

/** A client of IAM, which answers at the endpoint of STS. */
export const iamOf = (account: string, aws: Aws): IAMClient => new IAMClient(accessAs(account, aws, 'sts'));

/** Creates the role if it is missing, and sets its policy. */
export async function ensureRole(aws: Aws, account: string, role: RoleSettings): Promise<void> {
  const { path = '/', name: RoleName, trustPolicy, permissionPolicy, policyName = rolePolicyName } = role;
  await using(iamOf(account, aws), async (client) => {
    try {
      const AssumeRolePolicyDocument = JSON.stringify(trustPolicy);
      await client.send(new CreateRoleCommand({ RoleName, Path: path, AssumeRolePolicyDocument }));
    } catch (error) {
      if (!(error instanceof EntityAlreadyExistsException)) throw error;
    }
    const PolicyDocument = JSON.stringify(permissionPolicy);
    await client.send(new PutRolePolicyCommand({ RoleName, PolicyName: policyName, PolicyDocument }));
  });
}
