import { defineLambda } from '../define-lambda.ts';
import { toNotify } from '../permissions.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  ...toNotify,
  tables: { tenants: ['BatchGetItem', 'Query', 'GetItem', 'PutItem', 'DeleteItem'] },
  timeoutSeconds: 280,
});
