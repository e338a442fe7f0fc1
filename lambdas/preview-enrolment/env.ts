import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'ENROLMENTS_TABLE',
  'DEVICES_TABLE',
  'TENANTS_TABLE',
  'BASE_URL',
]);
