import * as v from 'valibot';
import { baseUrlVariables, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['DEVICES_TABLE', 'CONFIRMATIONS_TABLE', ...baseUrlVariables]);

export const lambda = {
  environment,
  tables: {
    devices: ['BatchGetItem', 'UpdateItem'],
    confirmations: ['BatchGetItem', 'GetItem', 'UpdateItem'],
  },
} satisfies LambdaDefinition<typeof environment>;
