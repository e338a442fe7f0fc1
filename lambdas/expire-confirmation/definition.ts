import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  'EXPIRY_QUEUE_URL',
  'BASE_URL',
]);

export const lambda = {
  environment,
  tables: {
    // It answers for the devices of test users.
    devices: ['Query', 'BatchGetItem', 'PutItem'],
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  queues: { expiry: ['ChangeMessageVisibility'] },
} satisfies LambdaDefinition<typeof environment>;
