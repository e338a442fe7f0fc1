import type { Role, Roles } from './roles.ts';
import { AwsServiceError } from '../../protocols/errors.ts';

/** `Path` and `RoleName` of a role. */
export function pathAndName({ arn }: Pick<Role, 'arn'>): { path: string; name: string } {
  const [, path = '/', name = ''] = /:role(\/(?:.*\/)?)([^/]+)$/.exec(arn) ?? [];
  return { path, name };
}

export const rolesOf = (roles: Roles, account: string): Role[] =>
  roles.list().filter(({ arn }) => arn.split(':')[4] === account);

/** A name is unique in its account, whatever the path and the case of its letters. */
export const findRole = (roles: Roles, account: string, roleName: string): Role | undefined =>
  rolesOf(roles, account).find((role) => pathAndName(role).name.toLowerCase() === roleName.toLowerCase());

/** @throws {AwsServiceError} `NoSuchEntity` */
export function getRole(roles: Roles, account: string, roleName = ''): Role {
  const role = findRole(roles, account, roleName);
  if (!role) throw noSuchEntity(`The role with name ${roleName} cannot be found.`);
  return role;
}

export const noSuchEntity = (message: string): AwsServiceError =>
  new AwsServiceError(404, 'NoSuchEntity', message);

export const invalid = (member: string, rule: string): AwsServiceError =>
  new AwsServiceError(
    400,
    'ValidationError',
    `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must satisfy ${rule}`,
  );
