import * as v from 'valibot';
import { pushVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  'TENANTS_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  'BASE_URL',
  'RP_ID',
  ...pushVariables,
]);
