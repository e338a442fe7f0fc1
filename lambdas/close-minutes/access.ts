import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    events: ['QueryIndex', 'BatchGetItem', 'PutItem'],
    log: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  kms: { log: ['Sign'] },
  // It begins nothing new after 15 seconds.
  timeoutSeconds: 30,
});
