import type { Notify } from './confirmation.ts';

/**
 * How the item of an event says who is told of the end. One letter, so that the item stays below 1 KB also for users with long
 * ids: DynamoDB bills started KB.
 */
export const notifyMarks = { callback: 'c', ping: 'p', both: 'b' } as const satisfies Record<Notify, string>;
