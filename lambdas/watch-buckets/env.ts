import * as v from 'valibot';
import { reportVariables } from '../../core/lambda/export-environment.ts';

export const environment = v.pick(reportVariables, ['TENANTS_TABLE', 'VERIFICATIONS_QUEUE_URL']);
