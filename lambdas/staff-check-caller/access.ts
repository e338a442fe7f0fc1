import { defineLambda } from '../define-lambda.ts';
import { toSend } from '../permissions.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  ...toSend,
  tables: { ...toSend.tables, tenants: ['GetItem'] },
});
