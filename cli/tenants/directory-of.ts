import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../command-error.ts';
import { type StoredProfile, ProfileStore } from './profile-store.ts';

export const directoryOf = ({ clients, tables }: Deployment): ProfileStore =>
  new ProfileStore(clients.dynamodb, tables.tenants);

/** @throws {CommandError} also if the tenant is deleted: it gets nothing new */
export async function requireLiveTenant(deployment: Deployment, tenantId: string): Promise<StoredProfile> {
  const profile = await requireTenant(deployment, tenantId);
  if (profile.deletedAt === undefined) return profile;
  throw new CommandError(`The tenant ${tenantId} is deleted.`, '"omi tenant create" makes another one.');
}

/** @throws {CommandError} where there is no such tenant */
export async function requireTenant(deployment: Deployment, tenantId: string): Promise<StoredProfile> {
  const profile = await directoryOf(deployment).find(tenantId);
  if (profile) return profile;
  throw new CommandError(
    `There is no tenant ${tenantId} in ${deployment.name}.`,
    '"omi tenant list" shows those there are.',
  );
}
