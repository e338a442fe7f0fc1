import { randomBytes } from 'node:crypto';
import { type JsonFile, openJsonFile } from '../../json-file.ts';
import { type Trust, trustDocument } from './trust.ts';

/** A role as IAM keeps it. */
export type Role = {
  arn: string;
  /** Its own: a role that is made anew under the same name is another one. */
  id: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Who may assume it: a policy document. */
  trustPolicy: string;
  /** What it may do: policy documents by name. Without them, as a test puts a role, everything. */
  policies?: Record<string, string>;
  /** The longest session in seconds; AWS's default is one hour. */
  maxSessionSeconds?: number;
  description?: string;
  tags?: Record<string, string>;
};

export type NewRole = Pick<Role, 'arn' | 'policies' | 'maxSessionSeconds' | 'description' | 'tags'> & {
  /** A policy document, or its short form. */
  trust: string | Trust;
};

export type Roles = {
  /** Adds a role, or changes the one with this ARN. */
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
    put: ({ trust, ...rest }) => {
      const { id = newId(), createdAt = Date.now() } = roles.get(rest.arn) ?? {};
      const trustPolicy = typeof trust === 'string' ? trust : trustDocument(trust);
      const role = { ...rest, id, createdAt, trustPolicy };
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

const newId = (): string => `AROA${randomBytes(9).toString('hex').slice(0, 17).toUpperCase()}`;
