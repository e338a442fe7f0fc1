import { routeScopes, scopes } from '../../lambdas/routes.ts';

/** Stands for every scope of a route. The scope for recovery must be named. */
const all = 'all';

export const scopeChoices: readonly string[] = [all, ...scopes];

/** The scopes that are meant, each once, in the order of the API. */
export const readScopes = (chosen: readonly string[]): string[] =>
  scopes.filter((scope) => (chosen.includes(all) && routeScopes.includes(scope)) || chosen.includes(scope));
