import { decideOnWebsite, type WebsiteTokens } from '../../core/access/website-decision.ts';
import { authorizer, type AuthorizerOptions } from '../../core/http/authorizer.ts';
import { requiredScopes } from '../routes.ts';

export type Dependencies = WebsiteTokens & AuthorizerOptions;

/** The scope authorizer of every website route but those of exports. */
export const createHandler = (deps: Dependencies) =>
  authorizer((routeKey) => {
    const scopes = requiredScopes(routeKey);
    return async (token) => await decideOnWebsite(token, scopes, deps);
  }, deps);
