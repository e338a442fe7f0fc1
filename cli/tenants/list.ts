import { defineCommand } from '../command.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { tenantState, tenantView } from './describe-tenant.ts';
import { profileStoreOf } from './profile-store.ts';

export const listTenantsCommand = defineCommand({
  name: 'list',
  description: 'Lists all tenants.',
  examples: ['tenant list', 'tenant list --json'],
  run: listTenants,
});

async function listTenants(session: Session): Promise<void> {
  const tenants = await profileStoreOf(await session.deployment()).list();
  const rows = tenants.map((tenant) => [tenant.tenantId, tenant.name, tenantState(tenant)]);
  session.print(tenants.map(tenantView), table(['TENANT', 'NAME', 'STATE'], rows));
}
