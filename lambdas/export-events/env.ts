import * as v from 'valibot';
import { exportVariables } from '../../core/lambda/export-environment.ts';

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
