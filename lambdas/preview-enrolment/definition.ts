import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  'ENROLMENTS_TABLE',
  'DEVICES_TABLE',
  'TENANTS_TABLE',
  'BASE_URL',
]);

export const lambda = {
  environment,
  tables: { enrolments: ['GetItem'], devices: ['GetItem'], tenants: ['GetItem'] },
} satisfies LambdaDefinition<typeof environment>;
