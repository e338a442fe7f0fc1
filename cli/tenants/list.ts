import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { tenantState, tenantView } from './describe-tenant.ts';
import { directoryOf } from './directory-of.ts';

export async function listTenants(session: Session): Promise<void> {
  const tenants = await directoryOf(await session.deployment()).list();
  const rows = tenants.map((tenant) => [tenant.tenantId, tenant.name, tenantState(tenant)]);
  session.print(tenants.map(tenantView), table(['TENANT', 'NAME', 'STATE'], rows));
}
