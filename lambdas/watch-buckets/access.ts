import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: { tenants: ['Query', 'Scan', 'BatchGetItem', 'UpdateItem', 'DeleteItem'] },
  queues: { verifications: ['SendMessage'] },
  readsMetrics: true,
  timeoutSeconds: 50,
});
