import * as v from 'valibot';
import { exportVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(exportVariables, [
  'TENANTS_TABLE',
  'ATTEMPTS_TABLE',
  'SIGNALS_TABLE',
  'SIGNAL_KEY_IDS',
  'LOG_TABLE',
  'BASE_URL',
  'PARKING_QUEUE_URL',
  'UNDELIVERABLE_QUEUE_URL',
  'SECRETS_KEY_ID',
  'OUTBOUND_LOOPBACK',
  'VERIFICATIONS_QUEUE_URL',
]);

export const lambda = {
  environment,
  tables: {
    tenants: ['BatchGetItem', 'Query', 'UpdateItem'],
    attempts: ['PutItem'],
    signals: ['PutItem'],
    log: ['PutItem'],
  },
  queues: { parking: ['SendMessage'], undeliverable: ['SendMessage'], verifications: ['SendMessage'] },
  tenantRoles: 'by-external-id',
  deliveryStreams: ['PutRecordBatch'],
  kms: { secrets: ['Decrypt'], signals: ['Sign'] },
  // Ten seconds for targets, ten for parking, and a reserve for the tables.
  timeoutSeconds: 60,
} satisfies LambdaDefinition<typeof environment>;
