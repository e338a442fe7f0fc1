import * as v from 'valibot';
import { tenantViewVariables, verificationVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.object({
  ...tenantViewVariables.entries,
  ...v.pick(verificationVariables, ['VERIFICATIONS_QUEUE_URL']).entries,
});

export const lambda = {
  environment,
  tables: { tenants: ['BatchGetItem', 'GetItem', 'UpdateItem'] },
  queues: { verifications: ['SendMessage'] },
} satisfies LambdaDefinition<typeof environment>;
