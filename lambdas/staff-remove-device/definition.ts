import * as v from 'valibot';
import { pushVariables, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  'TENANTS_TABLE',
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  ...pushVariables,
]);

export const lambda = {
  environment,
  tables: {
    tenants: ['GetItem'],
    devices: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['DeleteEndpoint', 'Publish'],
  secrets: { webPush: ['GetSecretValue'] },
} satisfies LambdaDefinition<typeof environment>;
