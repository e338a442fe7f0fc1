import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: { log: ['GetItem', 'UpdateItem'] },
  kms: { log: ['Sign'] },
});
