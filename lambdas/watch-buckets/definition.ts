import * as v from 'valibot';
import { reportVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(reportVariables, ['TENANTS_TABLE', 'VERIFICATIONS_QUEUE_URL']);

export const lambda = {
  environment,
  tables: { tenants: ['Query', 'Scan', 'BatchGetItem', 'UpdateItem', 'DeleteItem'] },
  queues: { verifications: ['SendMessage'] },
  readsMetrics: true,
  timeoutSeconds: 50,
} satisfies LambdaDefinition<typeof environment>;
