import type { Role, Roles } from './roles.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import type { Form, XmlElement } from '../../protocols/query.ts';
import { parsePolicy } from './policy.ts';
import { findRole, getRole, invalid, pathAndName, rolesOf } from './role-names.ts';

export type IamContext = { roles: Roles; account: string };
export type IamOperation = (context: IamContext, form: Form) => XmlElement[];

const shortestLimitSeconds = 3_600;
const longestLimitSeconds = 43_200;

export const createRole: IamOperation = ({ roles, account }, form) => {
  const { RoleName: name = '', Path: path = '/', Description: description } = form;
  if (!/^[\w+=,.@-]{1,64}$/.test(name)) throw invalid('roleName', '[\\w+=,.@-]{1,64}');
  if (!/^\/([\x21-\x7e]{1,510}\/)?$/.test(path))
    throw invalid('path', '(\\u002F)|(\\u002F[\\u0021-\\u007E]+\\u002F)');
  const trustPolicy = trustOf(form, 'AssumeRolePolicyDocument');
  if (findRole(roles, account, name)) {
    throw new AwsServiceError(409, 'EntityAlreadyExists', `Role with name ${name} already exists.`);
  }
  const role = roles.put({
    arn: `arn:aws:iam::${account}:role${path}${name}`,
    trustPolicy,
    policies: {},
    maxSessionSeconds: sessionLimit(form),
    tags: tagsOf(form),
    ...(description !== undefined && { description }),
  });
  return [['Role', describe(role)]];
};

export const readRole: IamOperation = ({ roles, account }, { RoleName }) => [
  ['Role', describe(getRole(roles, account, RoleName))],
];

export const listRoles: IamOperation = ({ roles, account }, { PathPrefix = '/' }) => [
  [
    'Roles',
    rolesOf(roles, account)
      .filter((role) => pathAndName(role).path.startsWith(PathPrefix))
      .map((role) => ['member', describe(role)]),
  ],
  ['IsTruncated', 'false'],
];

export const updateTrust: IamOperation = ({ roles, account }, form) => {
  const role = getRole(roles, account, form['RoleName']);
  roles.put({ ...role, trustPolicy: trustOf(form, 'PolicyDocument') });
  return [];
};

export const deleteRole: IamOperation = ({ roles, account }, { RoleName }) => {
  const { arn, policies = {} } = getRole(roles, account, RoleName);
  if (Object.keys(policies).length > 0) {
    throw new AwsServiceError(409, 'DeleteConflict', 'Cannot delete entity, must delete policies first.');
  }
  roles.remove(arn);
  return [];
};

/** IAM also rejects principals that do not exist; here policies may name roles of other accounts. */
function trustOf(form: Form, member: string): string {
  const document = form[member] ?? '';
  parsePolicy(document, 'trust');
  return document;
}

function sessionLimit({ MaxSessionDuration: given = String(shortestLimitSeconds) }: Form): number {
  const seconds = Number(given);
  if (Number.isInteger(seconds) && seconds >= shortestLimitSeconds && seconds <= longestLimitSeconds)
    return seconds;
  throw invalid('maxSessionDuration', `a value between ${shortestLimitSeconds} and ${longestLimitSeconds}`);
}

function tagsOf(form: Form): Record<string, string> {
  const tags: Record<string, string> = {};
  for (let n = 1; ; n += 1) {
    const key = form[`Tags.member.${n}.Key`];
    if (key === undefined) return tags;
    tags[key] = form[`Tags.member.${n}.Value`] ?? '';
  }
}

function describe(role: Role): XmlElement[] {
  const { path, name } = pathAndName(role);
  const { arn, id, createdAt, trustPolicy, description, tags = {} } = role;
  return [
    ['Path', path],
    ['RoleName', name],
    ['RoleId', id],
    ['Arn', arn],
    ['CreateDate', new Date(createdAt).toISOString()],
    // IAM returns documents URL-encoded.
    ['AssumeRolePolicyDocument', encodeURIComponent(trustPolicy)],
    ...(description === undefined ? [] : [['Description', description] as const]),
    ['MaxSessionDuration', String(role.maxSessionSeconds ?? shortestLimitSeconds)],
    [
      'Tags',
      Object.entries(tags).map(
        ([key, value]) =>
          [
            'member',
            [
              ['Key', key],
              ['Value', value],
            ],
          ] as const,
      ),
    ],
  ];
}
