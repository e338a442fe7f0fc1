import type { Tenant, TenantStore } from '../tenants/tenant-store.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import { recoveryScope } from './recovery-scope.ts';
import type { AccessToken } from './access-token.ts';
import { Unauthenticated } from './unauthenticated.ts';

export type TenantLookup = {
  tenants: Pick<TenantStore, 'findByClient'>;
  /** The claim that must have the id of the client's tenant. */
  tenantClaim?: string | undefined;
};

/** The client's tenant, which a claim may only confirm: whoever is removed as a client is shut out, claim or not. */
async function findTenant(token: AccessToken, clientId: string, lookup: TenantLookup): Promise<Tenant> {
  const { tenants, tenantClaim } = lookup;
  const claimed = tenantClaim === undefined ? undefined : token.text(tenantClaim);
  if (tenantClaim !== undefined && claimed === undefined)
    throw new Unauthenticated('no-tenant', { clientId });
  const tenant = await tenants.findByClient(clientId);
  if (!tenant) throw new Unauthenticated('unknown-client', { clientId });
  if (claimed !== undefined && claimed !== tenant.tenantId)
    throw new Unauthenticated('wrong-tenant', { clientId });
  if (tenant.suspendedAt !== undefined) throw new Unauthenticated('suspended-tenant', { clientId });
  return tenant;
}

/** For whom the holder of a verified token acts. One read, not cached here: API Gateway does that, for 300 s. */
export async function identifyCaller(token: AccessToken, lookup: TenantLookup): Promise<WebsiteCaller> {
  const { clientId } = token;
  if (clientId === undefined) throw new Unauthenticated('no-client');
  const { tenantId, settings } = await findTenant(token, clientId, lookup);
  const recovery = token.scopes.has(recoveryScope);
  return { tenantId, clientId, tokenExpiresAt: token.expiresAt, recovery, settings };
}
