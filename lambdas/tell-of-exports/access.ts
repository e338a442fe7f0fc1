import { defineLambda } from '../define-lambda.ts';
import { toNotify } from '../permissions.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  ...toNotify,
  tables: { tenants: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'], events: ['PutItem'] },
  // A contact has five seconds.
  timeoutSeconds: 30,
});
