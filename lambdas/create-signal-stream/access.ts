import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: { tenants: ['UpdateItem'] },
  kms: { secrets: ['Encrypt'] },
});
