import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['TENANTS_TABLE', 'BASE_URL', 'APP_NAME', 'APP_COLOR']);

export const lambda = { environment, tables: { tenants: ['GetItem'] } } satisfies LambdaDefinition<
  typeof environment
>;
