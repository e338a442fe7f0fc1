import * as v from 'valibot';
import { sendVariables, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, sendVariables);

export const lambda = {
  environment,
  push: ['Publish', 'CreatePlatformEndpoint', 'SetEndpointAttributes'],
  secrets: { webPush: ['GetSecretValue'] },
  tables: {
    devices: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    events: ['PutItem'],
    confirmations: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  },
} satisfies LambdaDefinition<typeof environment>;
