import type { Tenant, TenantStore } from '../../core/adapters/tenant-store.ts';
import type { WebsiteCaller } from '../../core/domain/tenant.ts';
import type { AccessToken } from './access-token.ts';
import { Unauthenticated } from './unauthenticated.ts';

export type TenantLookup = {
  tenants: Pick<TenantStore, 'findByClient' | 'findById'>;
  /** The claim with the tenant's id; without it the tenant is the client's. */
  tenantClaim?: string | undefined;
};

async function findTenant(token: AccessToken, clientId: string, lookup: TenantLookup): Promise<Tenant> {
  const { tenants, tenantClaim } = lookup;
  if (tenantClaim === undefined) {
    const tenant = await tenants.findByClient(clientId);
    if (tenant) return tenant;
    throw new Unauthenticated('unknown-client', { clientId });
  }
  const tenantId = token.text(tenantClaim);
  if (tenantId === undefined) throw new Unauthenticated('no-tenant', { clientId });
  const tenant = await tenants.findById(tenantId);
  if (tenant) return tenant;
  throw new Unauthenticated('unknown-tenant', { clientId });
}

/** For whom the holder of a verified token acts. One read, not cached here: API Gateway does that, for 300 s. */
export async function identifyCaller(token: AccessToken, lookup: TenantLookup): Promise<WebsiteCaller> {
  const { clientId } = token;
  if (clientId === undefined) throw new Unauthenticated('no-client');
  const { tenantId, settings } = await findTenant(token, clientId, lookup);
  return { tenantId, clientId, tokenExpiresAt: token.expiresAt, settings };
}
