import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: { events: ['QueryIndex'], ledger: ['Query', 'BatchWriteItem'] },
  // It counts for 20 seconds at most, and then keeps what it has.
  timeoutSeconds: 29,
});
