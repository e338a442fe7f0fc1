import type { LambdaName } from './environments.ts';

/**
 * Lambdas whose calls X-Ray does not record. Most calls of the API are polls, each of which is one read: their traces
 * would cost more than those of all other calls, and tell nothing that the metrics of the route do not.
 */
export const untraced: ReadonlySet<LambdaName> = new Set(['get-confirmation']);
