import * as v from 'valibot';
import { applications, pushServices, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, ['DEVICES_TABLE', 'BASE_URL', ...applications, ...pushServices]);
