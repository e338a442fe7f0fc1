import type { LambdaName } from './environments.ts';

/**
 * Lambdas whose calls X-Ray does not record. Most calls of the API are polls, and a poll is one read. Their traces would cost
 * more than those of all other calls and show nothing that the route's metrics do not show.
 */
export const untraced: ReadonlySet<LambdaName> = new Set(['get-confirmation']);
