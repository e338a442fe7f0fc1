/** The policies of a tenant's role by which the service sends events. */
import * as v from 'valibot';
import type { KeyPolicy } from '../policies/key-documents.ts';
import { accountRootOf, parseArn } from '../policies/arn.ts';
import { exporterRoleArnsOf, type Operator } from '../policies/operator-roles.ts';
import { policy, type PolicyDocument, type Statement } from '../policies/policy-document.ts';
import { externalId, iamRoleArn } from '../record-fields.ts';
import { roleTrustPolicy } from './role-policies.ts';

/** What operator and tenant agreed on about the role, which may be yet to be made. */
export const roleFields = {
  roleName: v.optional(
    v.pipe(v.string(), v.regex(/^[\w+=,.@-]{1,64}$/, 'expected the name of a role')),
    'omi-event-export',
  ),
  externalId,
  operatorRoleArns: v.pipe(v.array(iamRoleArn), v.minLength(1)),
};

const accountOf = (arn: string): string => parseArn(arn).account;

export const oneAccount = 'expected the roles of one account';

export const isOneAccount = ({ operatorRoleArns }: { operatorRoleArns: string[] }): boolean =>
  new Set(operatorRoleArns.map(accountOf)).size === 1;

export type RoleDocuments = {
  roleName: string;
  /** Whom the tenant's role trusts. */
  trustPolicy: PolicyDocument;
  /** What the role may do. */
  permissionPolicy: PolicyDocument;
  keyPolicy?: KeyPolicy;
};

type Agreed = { roleName: string; externalId: string; operatorRoleArns: string[] };

/** @param statements what the role may do */
export const roleDocuments = (
  { roleName, externalId: agreedId, operatorRoleArns }: Agreed,
  ...statements: Statement[]
): RoleDocuments => ({
  roleName,
  trustPolicy: roleTrustPolicy({
    operatorRoot: accountRootOf(parseArn(operatorRoleArns[0] ?? '')),
    operatorRoleArns,
    externalId: agreedId,
  }),
  permissionPolicy: policy(...statements),
});

/** What a registered target says of the role. */
export const agreedRole = (
  { externalId: agreedId, roleArn }: { externalId: string; roleArn: string },
  operator: Operator,
): Agreed => ({
  externalId: agreedId,
  roleName: roleArn.slice(roleArn.lastIndexOf('/') + 1),
  operatorRoleArns: exporterRoleArnsOf(operator),
});
