import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    enrolments: ['BatchWriteItem', 'PutItem'],
    devices: ['Query', 'PutItem'],
    confirmations: ['GetItem', 'UpdateItem'],
  },
});
