import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    devices: ['BatchGetItem', 'UpdateItem'],
    confirmations: ['BatchGetItem', 'GetItem', 'UpdateItem'],
  },
});
