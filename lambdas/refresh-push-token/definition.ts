import * as v from 'valibot';
import { baseUrlVariables, applications, pushServices, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  ...baseUrlVariables,
  ...applications,
  ...pushServices,
  'WEB_PUSH_PUBLIC_KEY',
]);

export const lambda = {
  environment,
  tables: { devices: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
  push: ['CreatePlatformEndpoint', 'SetEndpointAttributes', 'DeleteEndpoint'],
} satisfies LambdaDefinition<typeof environment>;
