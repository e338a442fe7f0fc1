import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    devices: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    confirmations: ['BatchGetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
});
