import { requesterOf, type Tenant } from '../tenants/client-item.ts';
import type { TenantStore } from '../tenants/tenant-store.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import { recoveryScope } from './recovery-scope.ts';
import type { AccessToken } from './access-token.ts';
import { Unauthenticated } from './unauthenticated.ts';

export type TenantLookup = {
  tenants: Pick<TenantStore, 'findByClient'>;
  /** Name of the claim that must contain the id of the client's tenant. */
  tenantClaim?: string | undefined;
};

/** The client determines the tenant; a claim must name the same one. So a removed client loses access in any case. */
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
  // Only an issuer of the operator's own has tokens for such a client.
  if (tenant.hasKeys) throw new Unauthenticated('client-with-keys', { clientId });
  return tenant;
}

/** The tenant of a verified token's client. One read; API Gateway caches the result for 300 s. */
export async function identifyCaller(token: AccessToken, lookup: TenantLookup): Promise<WebsiteCaller> {
  const { clientId } = token;
  if (clientId === undefined) throw new Unauthenticated('no-client');
  const tenant = await findTenant(token, clientId, lookup);
  const { tenantId, settings, callback, returnOrigins } = tenant;
  const recovery = token.scopes.has(recoveryScope);
  return {
    tenantId,
    clientId,
    tokenExpiresAt: token.expiresAt,
    recovery,
    requester: requesterOf(tenant, clientId),
    ...(callback && { callback }),
    ...(returnOrigins && { returnOrigins }),
    settings,
  };
}
