import { verificationVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = verificationVariables;

export const lambda = {
  environment,
  tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
  queues: { verifications: ['ChangeMessageVisibility'] },
  kms: { secrets: ['Decrypt'] },
  // It looks for roles that can be assumed without the external id.
  tenantRoles: 'also-without',
  deliveryRoles: true,
  // A test may send an event, as the exporter does.
  deliveryStreams: ['PutRecordBatch'],
  timeoutSeconds: 60,
} satisfies LambdaDefinition<typeof environment>;
