import { defineLambda } from '../define-lambda.ts';
import { toDeliver } from '../permissions.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    tenants: ['BatchGetItem', 'Query', 'UpdateItem'],
    attempts: ['PutItem'],
    signals: ['PutItem'],
    log: ['PutItem'],
  },
  queues: { parking: ['SendMessage'], undeliverable: ['SendMessage'], verifications: ['SendMessage'] },
  ...toDeliver,
  // Ten seconds for targets, ten for parking, and a reserve for the tables.
  timeoutSeconds: 60,
});
