import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    tenants: ['BatchGetItem', 'UpdateItem'],
    attempts: ['PutItem'],
  },
  queues: { callbacks: ['ChangeMessageVisibility'], retries: ['SendMessage'] },
  kms: { secrets: ['Decrypt'] },
  timeoutSeconds: 20,
});
