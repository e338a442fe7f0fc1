import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import { tenantViewVariables, verificationVariables } from '../../core/lambda/export-environment.ts';

export const environment = v.object({
  ...tenantViewVariables.entries,
  ...v.pick(variables, ['EVENTS_TABLE']).entries,
  ...v.pick(verificationVariables, ['VERIFICATIONS_QUEUE_URL']).entries,
});
