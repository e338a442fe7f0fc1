import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    // Of test users, for whom it answers.
    devices: ['Query', 'BatchGetItem', 'PutItem'],
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  queues: { expiry: ['ChangeMessageVisibility'] },
});
