import * as v from 'valibot';
import { exportVariables } from '../../core/lambda/export-environment.ts';

export const environment = v.pick(exportVariables, [
  'TENANTS_TABLE',
  'BASE_URL',
  'PARKING_QUEUE_URL',
  'UNDELIVERABLE_QUEUE_URL',
  'SECRETS_KEY_ID',
  'OUTBOUND_LOOPBACK',
  'VERIFICATIONS_QUEUE_URL',
]);
