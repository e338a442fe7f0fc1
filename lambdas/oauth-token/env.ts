import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'BASE_URL',
  'TENANTS_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  'SIGNING_KEY_ID',
  'SIGNING_KID',
]);
