import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  'EXPIRY_QUEUE_URL',
  'BASE_URL',
]);
