import { reportVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = reportVariables;

export const lambda = {
  environment,
  tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
  queues: { verifications: ['SendMessage'] },
  timeoutSeconds: 50,
} satisfies LambdaDefinition<typeof environment>;
