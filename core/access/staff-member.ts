import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import * as v from 'valibot';
import { Unauthenticated } from './unauthenticated.ts';

/** What a member of staff may do. An operator may also do what the support of all tenants may. */
export const staffGroups = ['support', 'operator'] as const;
export type StaffGroup = (typeof staffGroups)[number];

/** A group `support:<tenant id>` is the support of this tenant alone. */
const ofTenant = 'support:';

/** The caller of a staff request, which the authorizer passes to the handlers, possibly from the cache. */
export const staffMember = v.object({
  /** `sub` of the token. Events name it. */
  memberId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
  isOperator: v.boolean(),
  /** The tenants whose users the member helps. */
  supports: v.union([v.literal('all'), v.array(v.string())]),
  /** `exp` of the token, seconds since 1970. The cached result may outlive the token. */
  tokenExpiresAt: v.number(),
});
export type StaffMember = v.InferOutput<typeof staffMember>;

/** Cognito and others write a list; some write one string, with spaces or commas. */
export function groupsIn(claim: unknown): string[] {
  const values: unknown = typeof claim === 'string' ? claim.split(/[\s,]+/) : claim;
  return (Array.isArray(values) ? values : []).filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}

/** @throws {Unauthenticated} `no-member` */
export function readStaffMember(claims: JwtPayload, groupsClaim: string): StaffMember {
  const groups = groupsIn(claims[groupsClaim]);
  const isOperator = groups.includes('operator');
  const supports =
    isOperator || groups.includes('support')
      ? 'all'
      : groups.filter((name) => name.startsWith(ofTenant)).map((name) => name.slice(ofTenant.length));
  const member = { memberId: claims.sub, isOperator, supports, tokenExpiresAt: claims.exp ?? 0 };
  const result = v.safeParse(staffMember, member);
  if (!result.success) throw new Unauthenticated('no-member');
  return result.output;
}

/** Whether the member belongs to a group. */
export const isIn = ({ isOperator, supports }: StaffMember, group: StaffGroup): boolean =>
  group === 'operator' ? isOperator : supports === 'all' || supports.length > 0;

export const covers = ({ supports }: StaffMember, tenantId: string): boolean =>
  supports === 'all' || supports.includes(tenantId);
