import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, ['LOG_TABLE', 'LOG_KEY_ID', 'LOG_KID', 'BASE_URL']);
