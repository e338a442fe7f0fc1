import * as v from 'valibot';
import { baseUrlVariables, sendVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  ...baseUrlVariables,
  'TENANTS_TABLE',
  'SECRETS_KEY_ID',
  ...sendVariables,
]);
