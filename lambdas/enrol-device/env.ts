import * as v from 'valibot';
import { baseUrlVariables, applications, pushVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'ENROLMENTS_TABLE',
  'DEVICES_TABLE',
  'TENANTS_TABLE',
  'EVENTS_TABLE',
  ...baseUrlVariables,
  'RP_ID',
  'RECEIPT_KEY_ID',
  'RECEIPT_KID',
  ...applications,
  ...pushVariables,
]);
