import * as v from 'valibot';
import { provisioningVariables } from '../../core/lambda/export-environment.ts';

export const environment = v.object({
  ...provisioningVariables.entries,
  /**
   * Milliseconds between two calls to the control plane of Firehose. At 500, two of these Lambdas at once leave an account a
   * call a second for people and deployments.
   */
  DELIVERY_STREAM_CALL_INTERVAL: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number)),
    '500',
  ),
});
