import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    tenants: ['GetItem'],
    devices: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['DeleteEndpoint', 'Publish'],
  secrets: { webPush: ['GetSecretValue'] },
});
