import * as v from 'valibot';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { uuid } from '../ids.ts';
import { profileStoreOf } from './profile-store.ts';

/**
 * The id of the tenant that a command names. A name counts where it is the name of one tenant alone; deleted tenants count only if no
 * other has it.
 *
 * @param given an id, or a name
 * @throws {CommandError} if no tenant has the name, or several have
 */
export async function resolveTenant(deployment: Deployment, given: string): Promise<string> {
  if (v.safeParse(uuid, given).success) return given;
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
