import * as v from 'valibot';
import { routeScopes, scopes } from '../../lambdas/routes.ts';
import { listOption } from '../options.ts';

/** Stands for the scopes of all routes. The scope for recovery must be named. */
const all = 'all';

const choices: readonly string[] = [all, ...scopes];

export const scopeOption = () =>
  listOption('--scope <scope...>', `what the client may do: ${choices.join(', ')}`, v.picklist(choices), {
    expected: `one of ${choices.join(', ')}`,
    example: 'credential:omi:devices:get',
  });

/** The chosen scopes, each once, in the order of the API. */
export const readScopes = (chosen: readonly string[]): string[] =>
  scopes.filter((scope) => (chosen.includes(all) && routeScopes.includes(scope)) || chosen.includes(scope));
