import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: { tenants: ['Query'], confirmations: ['PutItem', 'UpdateItem'], events: ['PutItem'] },
  kms: { signing: ['Sign'] },
});
