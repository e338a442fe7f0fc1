import * as v from 'valibot';
import { sendVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, ['TENANTS_TABLE', ...sendVariables]);
