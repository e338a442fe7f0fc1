import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    devices: ['BatchGetItem', 'PutItem'],
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
});
