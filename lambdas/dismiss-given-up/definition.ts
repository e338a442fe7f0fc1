import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import { tenantViewVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.object({
  ...tenantViewVariables.entries,
  ...v.pick(variables, ['EVENTS_TABLE']).entries,
});

export const lambda = {
  environment,
  tables: { tenants: ['BatchGetItem', 'UpdateItem'], events: ['PutItem'] },
} satisfies LambdaDefinition<typeof environment>;
