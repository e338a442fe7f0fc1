import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['DEVICES_TABLE', 'CONFIRMATIONS_TABLE', 'EVENTS_TABLE']);

export const lambda = {
  environment,
  tables: {
    devices: ['GetItem', 'UpdateItem'],
    confirmations: ['GetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
} satisfies LambdaDefinition<typeof environment>;
