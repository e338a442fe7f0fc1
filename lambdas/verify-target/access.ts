import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
  queues: { verifications: ['ChangeMessageVisibility'] },
  kms: { secrets: ['Decrypt'] },
  // It looks for roles that can be assumed without the external id.
  tenantRoles: 'also-without',
  deliveryRoles: true,
  // A test may send an event, as the exporter does.
  deliveryStreams: ['PutRecordBatch'],
  timeoutSeconds: 60,
});
