import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    tenants: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    attempts: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  queues: { retries: ['ChangeMessageVisibility'] },
  kms: { secrets: ['Decrypt'] },
  // A call takes 10 s at most.
  timeoutSeconds: 20,
});
