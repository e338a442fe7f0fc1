import { randomBytes } from 'node:crypto';
import { type JsonFile, openJsonFile } from '../../json-file.ts';
import { parsePolicy, type Policy } from './policy.ts';

/** A role in IAM. */
export type Role = {
  arn: string;
  /** A new role with the same name has another id. */
  id: string;
  /** In milliseconds since 1970. */
  createdAt: number;
  /** A policy document: the callers that may assume the role. */
  trustPolicy: string;
  /** Permissions: policy documents by name. A role without this member, as tests put it, may do everything. */
  policies?: Record<string, string>;
  /** The longest session in seconds; AWS's default is one hour. */
  maxSessionSeconds?: number;
  description?: string;
  tags?: Record<string, string>;
};

export type NewRole = Omit<Role, 'id' | 'createdAt'>;

export type Roles = {
  /** Adds a role, or replaces the one with this ARN. */
  put(role: NewRole): Role;
  get(arn: string): Role | undefined;
  list(): Role[];
  remove(arn: string): void;
  flush: () => Promise<void>;
};

export function createRoles(stateFile?: string): Roles {
  const roles = new Map<string, Role>();
  const file: JsonFile<Role[]> = openJsonFile<Role[]>(stateFile, () => [...roles.values()]);
  for (const role of file.saved ?? []) roles.set(role.arn, role);
  return {
    put: (properties) => {
      const { id = newId(), createdAt = Date.now() } = roles.get(properties.arn) ?? {};
      const role = { ...properties, id, createdAt };
      roles.set(role.arn, role);
      file.changed();
      return role;
    },
    get: (arn) => roles.get(arn),
    list: () => [...roles.values()],
    remove: (arn) => {
      roles.delete(arn);
      file.changed();
    },
    flush: () => file.flush(),
  };
}

/** A role's permissions; nothing for one that may do everything. */
export const permissionsOf = (role: Role | undefined): Policy[] | undefined =>
  role?.policies && Object.values(role.policies).map((document) => parsePolicy(document, 'permissions'));

const newId = (): string => `AROA${randomBytes(9).toString('hex').slice(0, 17).toUpperCase()}`;
