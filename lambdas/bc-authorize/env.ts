import * as v from 'valibot';
import { applications, pushVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'BASE_URL',
  'TENANTS_TABLE',
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  'SECRETS_KEY_ID',
  ...applications,
  ...pushVariables,
]);
