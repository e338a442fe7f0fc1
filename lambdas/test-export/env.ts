import * as v from 'valibot';
import { tenantViewVariables, verificationVariables } from '../../core/lambda/export-environment.ts';

export const environment = v.object({
  ...tenantViewVariables.entries,
  ...v.pick(verificationVariables, ['VERIFICATIONS_QUEUE_URL']).entries,
});
