import * as v from 'valibot';
import { baseUrlVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  ...baseUrlVariables,
  'TENANTS_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  'SIGNING_KEY_ID',
  'SIGNING_KID',
]);
