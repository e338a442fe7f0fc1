import * as v from 'valibot';
import { pushVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'TENANTS_TABLE',
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  ...pushVariables,
]);
