import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    enrolments: ['GetItem', 'UpdateItem'],
    devices: ['GetItem', 'Query', 'PutItem', 'ConditionCheckItem'],
    tenants: ['GetItem'],
    events: ['PutItem'],
  },
  push: ['CreatePlatformEndpoint', 'SetEndpointAttributes', 'Publish'],
  secrets: { webPush: ['GetSecretValue'] },
  kms: { receipts: ['Sign'] },
});
