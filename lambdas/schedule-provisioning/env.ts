import * as v from 'valibot';
import { provisioningVariables } from '../../core/lambda/export-environment.ts';

export const environment = v.pick(provisioningVariables, ['PROVISIONING_QUEUE_URL']);
