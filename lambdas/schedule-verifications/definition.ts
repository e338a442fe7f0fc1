import { schedulingVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = schedulingVariables;

export const lambda = {
  environment,
  tables: { tenants: ['Scan'] },
  queues: { verifications: ['SendMessage'] },
  timeoutSeconds: 300,
} satisfies LambdaDefinition<typeof environment>;
