import type { Decision } from '../../core/access/decision.ts';
import { isIn, readStaffMember, type StaffGroup, type StaffMember } from '../../core/access/staff-member.ts';
import type { VerifyClaims } from '../../core/access/token-verifier.ts';
import { authorizer, type AuthorizerOptions } from '../../core/http/authorizer.ts';
import { type RouteDefinition, routeKeyOf, routes } from '../routes.ts';

/** What the access log has of a call, as `clientId`. No issuer has such a client. */
type Logged = { clientId: `member:${string}` };

type StaffTokens = { verifyClaims: VerifyClaims; groupsClaim: string };

export type Dependencies = StaffTokens & AuthorizerOptions;

const groupOfRoute = new Map(
  routes.flatMap((route: RouteDefinition) =>
    route.caller === 'staff' ? [[routeKeyOf(route), route.group] as const] : [],
  ),
);

function requiredGroup(routeKey: string): StaffGroup {
  const group = groupOfRoute.get(routeKey);
  if (group === undefined) throw new Error(`The route ${routeKey} is not for members of staff`);
  return group;
}

async function decide(
  token: string,
  group: StaffGroup,
  { verifyClaims, groupsClaim }: StaffTokens,
): Promise<Decision<StaffMember & Logged>> {
  const member = readStaffMember(await verifyClaims(token), groupsClaim);
  const { memberId } = member;
  if (!isIn(member, group)) return { logged: { reason: 'wrong-group', group, memberId } };
  return { caller: { ...member, clientId: `member:${memberId}` }, logged: { memberId } };
}

/** The authorizer of every route of the help desk. */
export const createHandler = (deps: Dependencies) =>
  authorizer((routeKey) => {
    const group = requiredGroup(routeKey);
    return async (token) => await decide(token, group, deps);
  }, deps);
