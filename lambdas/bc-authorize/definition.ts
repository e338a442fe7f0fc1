import * as v from 'valibot';
import { baseUrlVariables, sendVariables, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  ...baseUrlVariables,
  'TENANTS_TABLE',
  'SECRETS_KEY_ID',
  ...sendVariables,
]);

export const lambda = {
  environment,
  push: ['Publish', 'CreatePlatformEndpoint', 'SetEndpointAttributes'],
  secrets: { webPush: ['GetSecretValue'] },
  tables: {
    devices: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    confirmations: ['GetItem', 'PutItem', 'UpdateItem'],
    events: ['PutItem'],
    tenants: ['Query'],
  },
  kms: { secrets: ['Encrypt'] },
} satisfies LambdaDefinition<typeof environment>;
