import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { tenantView } from './describe-tenant.ts';
import { directoryOf } from './directory-of.ts';

export async function listTenants(session: Session): Promise<void> {
  const tenants = await directoryOf(await session.deployment()).list();
  const rows = tenants.map(({ tenantId, name }) => [tenantId, name]);
  session.print(tenants.map(tenantView), table(['TENANT', 'NAME'], rows));
}
