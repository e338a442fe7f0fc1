import * as v from 'valibot';
import { pushVariables, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  ...pushVariables,
]);

export const lambda = {
  environment,
  tables: {
    devices: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['DeleteEndpoint', 'Publish'],
  secrets: { webPush: ['GetSecretValue'] },
} satisfies LambdaDefinition<typeof environment>;
