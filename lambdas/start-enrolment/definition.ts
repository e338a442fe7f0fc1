import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  'ENROLMENTS_TABLE',
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'BASE_URL',
  'APP_LINK',
]);

export const lambda = {
  environment,
  tables: {
    enrolments: ['BatchWriteItem', 'PutItem'],
    devices: ['Query', 'PutItem'],
    confirmations: ['GetItem', 'UpdateItem'],
  },
} satisfies LambdaDefinition<typeof environment>;
