import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    devices: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['Publish'],
  secrets: { webPush: ['GetSecretValue'] },
});
