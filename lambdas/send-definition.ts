import * as v from 'valibot';
import { sendVariables, variables } from '../core/lambda/environment.ts';
import type { LambdaDefinition } from './lambda-definition.ts';

/** For the Lambdas that send a confirmation: only their paths differ. */
export const environment = v.pick(variables, sendVariables);

export const lambda = {
  environment,
  tables: {
    devices: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    confirmations: ['GetItem', 'PutItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['Publish', 'CreatePlatformEndpoint', 'SetEndpointAttributes'],
  secrets: { webPush: ['GetSecretValue'] },
} satisfies LambdaDefinition<typeof environment>;
