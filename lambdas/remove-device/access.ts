import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    devices: ['Query', 'PutItem', 'DeleteItem'],
    confirmations: ['GetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['DeleteEndpoint', 'Publish'],
  secrets: { webPush: ['GetSecretValue'] },
});
