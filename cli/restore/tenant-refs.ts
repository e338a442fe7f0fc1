import { categories, type TargetRef } from '../../core/events/target-ref.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { ProfileStore } from '../tenants/profile-store.ts';

type Tables = Pick<Deployment, 'clients'> & { tables: Pick<Deployment['tables'], 'tenants'> };

/** Each tenant with each category. */
export async function tenantRefs({ clients, tables }: Tables): Promise<TargetRef[]> {
  const profiles = await new ProfileStore(clients.dynamodb, tables.tenants).list();
  return profiles.flatMap(({ tenantId }) => categories.map((category) => ({ tenantId, category })));
}
