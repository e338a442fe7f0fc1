import type { Session } from '../session.ts';
import type { Profile, ProfileStore } from './profile-store.ts';

/** Users see the name, and operators choose by it. */
export async function warnOfNamesake(
  session: Session,
  profiles: ProfileStore,
  { tenantId, name }: Pick<Profile, 'tenantId' | 'name'>,
): Promise<void> {
  const namesake = (await profiles.list()).find((one) => one.name === name && one.tenantId !== tenantId);
  if (namesake) session.note(`Warning: the tenant ${namesake.tenantId} has the same name.`);
}
