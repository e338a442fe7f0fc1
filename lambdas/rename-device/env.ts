import * as v from 'valibot';
import { baseUrlVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, ['DEVICES_TABLE', ...baseUrlVariables]);
