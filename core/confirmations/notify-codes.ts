import type { Notify } from './confirmation.ts';

/**
 * How the client is notified of the end, in the item of an event. One letter, so that the item stays below 1 KB also for users with long
 * ids: DynamoDB bills started KB.
 */
export const notifyCodes = { callback: 'c', ping: 'p', both: 'b' } as const satisfies Record<Notify, string>;
