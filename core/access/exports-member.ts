import type { TenantStore } from '../tenants/tenant-store.ts';
import { changedSettings, type SerializedCaller } from '../tenants/tenant.ts';
import type { Decision } from './decision.ts';
import { fetchDocument } from './fetch-document.ts';
import { staffIssuer, type StaffIssuerSettings } from './staff-issuer.ts';
import { groupsIn, readStaffMember } from './staff-member.ts';
import { memberTokenTest } from './token-choice.ts';
import { type IssuerSettings, tokenIssuer } from './token-issuer.ts';
import { createClaimsVerifier, type VerifyClaims } from './token-verifier.ts';

/** The members of a group `exports:<tenant id>` see and steer the exports of this tenant. */
const ofTenant = 'exports:';

export type MemberTokens = {
  /** Whether a token, which nobody has verified yet, is one of a member's. */
  areTheirs: (token: string) => boolean;
  verifyClaims: VerifyClaims;
  groupsClaim: string;
  tenants: Pick<TenantStore, 'find'>;
};

/** @param clientId of the page where members sign in */
export function memberTokens(
  settings: StaffIssuerSettings & IssuerSettings,
  clientId: string,
  tenants: MemberTokens['tenants'],
): MemberTokens {
  const issuer = staffIssuer(settings, clientId, fetchDocument);
  const { names: websites } = tokenIssuer(settings, fetchDocument);
  return {
    areTheirs: memberTokenTest({ members: issuer.names, websites, clientId }),
    verifyClaims: createClaimsVerifier(issuer),
    groupsClaim: issuer.groupsClaim,
    tenants,
  };
}

/**
 * Lets a member in who is in such a group of one tenant, as a client of this tenant with all scopes of exports. The group alone says
 * which tenant. One read.
 *
 * @throws {Unauthenticated}
 */
export async function decideOnMember(
  text: string,
  { verifyClaims, groupsClaim, tenants }: MemberTokens,
): Promise<Decision<SerializedCaller>> {
  const claims = await verifyClaims(text);
  const { memberId, tokenExpiresAt } = readStaffMember(claims, groupsClaim);
  const refused = (reason: string, more = {}) => ({ logged: { reason, memberId, ...more } });
  const groups = groupsIn(claims[groupsClaim]).filter((name) => name.startsWith(ofTenant));
  const [tenantId, ...others] = new Set(groups.map((name) => name.slice(ofTenant.length)));
  if (tenantId === undefined) return refused('wrong-group');
  // Which of them it is must not depend on the order of a claim.
  if (others.length > 0) return refused('several-tenants');
  const tenant = await tenants.find(tenantId);
  if (!tenant) return refused('unknown-tenant');
  if (tenant.suspendedAt !== undefined) return refused('suspended-tenant', { tenantId });
  return {
    caller: {
      tenantId,
      // The access log has it. No issuer has such a client.
      clientId: `member:${memberId}`,
      tokenExpiresAt,
      requester: { tenant: tenant.name, client: memberId },
      settings: changedSettings(tenant.settings),
    },
    logged: { tenantId, memberId },
  };
}
