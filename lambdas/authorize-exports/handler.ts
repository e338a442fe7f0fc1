import { decideOnMember, type MemberTokens } from '../../core/access/exports-member.ts';
import { decideOnWebsite, type WebsiteTokens } from '../../core/access/website-decision.ts';
import { authorizer, type AuthorizerOptions } from '../../core/http/authorizer.ts';
import { isOfTenants, requiredScopes, routeKeyOf, routes } from '../routes.ts';

export type Dependencies = WebsiteTokens & AuthorizerOptions & { members?: MemberTokens | undefined };

const ofTenants = new Set(routes.filter(isOfTenants).map(routeKeyOf));

/** The authorizer of the exports' routes, for websites by their scopes and for members of the tenant by their group. */
export const createHandler = ({ members, ...deps }: Dependencies) =>
  authorizer((routeKey) => {
    if (!ofTenants.has(routeKey)) throw new Error(`The route ${routeKey} is not of a tenant's exports`);
    const scopes = requiredScopes(routeKey);
    return async (token) =>
      members?.areTheirs(token)
        ? await decideOnMember(token, members)
        : await decideOnWebsite(token, scopes, deps);
  }, deps);
