import * as v from 'valibot';
import { sendVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'BASE_URL',
  'TENANTS_TABLE',
  'SECRETS_KEY_ID',
  ...sendVariables,
]);
