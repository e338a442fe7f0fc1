import * as v from 'valibot';
import { baseUrlVariables, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  ...baseUrlVariables,
  'TENANTS_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  'SIGNING_KEY_ID',
  'SIGNING_KID',
]);

export const lambda = {
  environment,
  tables: { tenants: ['Query'], confirmations: ['PutItem', 'UpdateItem'], events: ['PutItem'] },
  kms: { signing: ['Sign'] },
} satisfies LambdaDefinition<typeof environment>;
