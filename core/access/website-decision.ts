import { changedSettings, type SerializedCaller } from '../tenants/tenant.ts';
import type { Decision } from './decision.ts';
import type { VerifyToken } from './token-verifier.ts';
import { identifyCaller, type TenantLookup } from './website-caller.ts';

export type WebsiteTokens = TenantLookup & { verifyToken: VerifyToken };

/**
 * Lets a website in whose token has one of the scopes.
 *
 * @throws {Unauthenticated}
 */
export async function decideOnWebsite(
  text: string,
  scopes: readonly string[],
  websites: WebsiteTokens,
): Promise<Decision<SerializedCaller>> {
  const token = await websites.verifyToken(text);
  const caller = await identifyCaller(token, websites);
  const { tenantId, clientId } = caller;
  if (!scopes.some((scope) => token.scopes.has(scope)))
    return { logged: { reason: 'missing-scope', scope: scopes[0], tenantId, clientId } };
  return {
    caller: { ...caller, settings: changedSettings(caller.settings) },
    logged: { tenantId, clientId },
  };
}
