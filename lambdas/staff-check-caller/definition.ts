import * as v from 'valibot';
import { sendVariables, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['TENANTS_TABLE', ...sendVariables]);

export const lambda = {
  environment,
  push: ['Publish', 'CreatePlatformEndpoint', 'SetEndpointAttributes'],
  secrets: { webPush: ['GetSecretValue'] },
  tables: {
    devices: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    confirmations: ['GetItem', 'PutItem', 'UpdateItem'],
    events: ['PutItem'],
    tenants: ['GetItem'],
  },
} satisfies LambdaDefinition<typeof environment>;
