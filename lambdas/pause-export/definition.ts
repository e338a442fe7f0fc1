import { tenantViewVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = tenantViewVariables;

export const lambda = {
  environment,
  tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
} satisfies LambdaDefinition<typeof environment>;
