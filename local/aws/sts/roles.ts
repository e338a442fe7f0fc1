import { type JsonFile, openJsonFile } from '../json-file.ts';

/** A role and who may assume it: the part of IAM that the service's tenants set up in their accounts. */
export type Role = {
  arn: string;
  trust: Trust;
  /** The longest session in seconds; AWS's default is one hour. */
  maxSessionSeconds?: number;
};

/** A trust policy with one statement that allows `sts:AssumeRole`. */
export type Trust = {
  /** `*`, an account's number, or the ARN of an account's root or of a role. */
  principal: string;
  /** The condition `StringEquals: { 'sts:ExternalId': … }`. */
  externalId?: string;
  /** The condition `StringEquals: { 'aws:PrincipalArn': … }`. */
  principalArn?: string;
};

export type Roles = {
  /** Adds a role, or changes the one with this ARN. */
  put(role: Role): void;
  get(arn: string): Role | undefined;
  list(): Role[];
  /** Sessions that exist go on, as on AWS. */
  remove(arn: string): void;
  flush: () => Promise<void>;
};

export function createRoles(stateFile?: string): Roles {
  const roles = new Map<string, Role>();
  const file: JsonFile<Role[]> = openJsonFile<Role[]>(stateFile, () => [...roles.values()]);
  for (const role of file.saved ?? []) roles.set(role.arn, role);
  return {
    put: (role) => {
      roles.set(role.arn, role);
      file.changed();
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

/** Whom STS takes a caller for. */
export type Caller = { account: string; principalArn: string };

/** Whether the trust policy lets this caller in with this external id. */
export function trusts(
  { principal, externalId, principalArn }: Trust,
  caller: Caller,
  presented?: string,
): boolean {
  const accepted = ['*', caller.account, `arn:aws:iam::${caller.account}:root`, caller.principalArn];
  if (!accepted.includes(principal)) return false;
  if (principalArn !== undefined && principalArn !== caller.principalArn) return false;
  return externalId === undefined || externalId === presented;
}
