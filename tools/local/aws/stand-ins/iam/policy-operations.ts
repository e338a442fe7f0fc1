import type { XmlElement } from '../../protocols/query.ts';
import { parsePolicy } from './policy.ts';
import type { IamOperation, IamContext } from './role-operations.ts';
import { getRole, invalid, noSuchEntity } from './role-names.ts';

export const putPolicy: IamOperation = (context, form) => {
  const { RoleName, PolicyName: name = '', PolicyDocument: document = '' } = form;
  if (!/^[\w+=,.@-]{1,128}$/.test(name)) throw invalid('policyName', '[\\w+=,.@-]{1,128}');
  parsePolicy(document, 'permissions');
  change(context, RoleName, (policies) => ({ ...policies, [name]: document }));
  return [];
};

export const readPolicy: IamOperation = ({ roles, account }, { RoleName, PolicyName = '' }) => {
  const document = getRole(roles, account, RoleName).policies?.[PolicyName];
  if (document === undefined) throw noPolicy(PolicyName);
  return [
    ['RoleName', String(RoleName)],
    ['PolicyName', PolicyName],
    ['PolicyDocument', encodeURIComponent(document)],
  ];
};

export const listPolicies: IamOperation = ({ roles, account }, { RoleName }) => {
  const names = Object.keys(getRole(roles, account, RoleName).policies ?? {});
  return [
    ['PolicyNames', names.map((name): XmlElement => ['member', name])],
    ['IsTruncated', 'false'],
  ];
};

export const deletePolicy: IamOperation = (context, { RoleName, PolicyName = '' }) => {
  change(context, RoleName, ({ [PolicyName]: gone, ...others }) => {
    if (gone === undefined) throw noPolicy(PolicyName);
    return others;
  });
  return [];
};

type Policies = Record<string, string>;

function change(
  { roles, account }: IamContext,
  roleName: string | undefined,
  work: (policies: Policies) => Policies,
): void {
  const role = getRole(roles, account, roleName);
  roles.put({ ...role, policies: work(role.policies ?? {}) });
}

const noPolicy = (name: string) => noSuchEntity(`The role policy with name ${name} cannot be found.`);
