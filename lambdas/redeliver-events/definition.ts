import * as v from 'valibot';
import { exportVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.omit(exportVariables, ['EVENTS_TABLE', 'LOG_TABLE', 'REPLAYS_QUEUE_URL']);

export const lambda = {
  environment,
  tables: {
    tenants: ['BatchGetItem', 'UpdateItem'],
    attempts: ['PutItem'],
    signals: ['PutItem'],
  },
  queues: {
    parking: ['SendMessage', 'ChangeMessageVisibility'],
    undeliverable: ['SendMessage'],
    verifications: ['SendMessage'],
  },
  tenantRoles: 'by-external-id',
  deliveryStreams: ['PutRecordBatch'],
  kms: { secrets: ['Decrypt'], signals: ['Sign'] },
  timeoutSeconds: 25,
  recursiveLoop:
    'What a target refuses again is parked anew, as often as it refuses. The chain ends when the target accepts it, or after 14 days.',
} satisfies LambdaDefinition<typeof environment>;
