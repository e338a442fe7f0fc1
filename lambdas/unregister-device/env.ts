import * as v from 'valibot';
import { baseUrlVariables, pushVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  'TENANTS_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  ...baseUrlVariables,
  'RP_ID',
  ...pushVariables,
]);
