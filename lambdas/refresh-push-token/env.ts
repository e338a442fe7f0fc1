import * as v from 'valibot';
import { baseUrlVariables, applications, pushServices, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  ...baseUrlVariables,
  ...applications,
  ...pushServices,
]);
