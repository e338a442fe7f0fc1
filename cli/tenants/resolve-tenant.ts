import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { profileStoreOf } from './profile-store.ts';

/**
 * The id of the tenant that has a name. Deleted tenants count only if no other has it.
 *
 * @throws {CommandError} if no tenant has the name, or several have
 */
export async function resolveTenant(deployment: Deployment, given: string): Promise<string> {
  const named = (await profileStoreOf(deployment).list()).filter(({ name }) => name === given);
  const live = named.filter(({ deletedAt }) => deletedAt === undefined);
  const [found, ...others] = live.length > 0 ? live : named;
  if (found && others.length === 0) return found.tenantId;
  if (!found)
    throw new CommandError(
      `There is no tenant with the id or name "${given}" in ${deployment.name}.`,
      '"omi tenant list" shows all tenants.',
    );
  const ids = [found, ...others].map(({ tenantId }) => tenantId).join(', ');
  throw new CommandError(`Several tenants have the name "${given}": ${ids}.`, 'Pass the id of one of them.');
}
