import * as v from 'valibot';
import { provisioningVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

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

export const lambda = {
  environment,
  tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
  queues: { provisioning: ['ChangeMessageVisibility'] },
  deliveryStreams: [
    'DescribeDeliveryStream',
    'CreateDeliveryStream',
    'UpdateDestination',
    'DeleteDeliveryStream',
    // Firehose requires it when a stream is created with tags.
    'TagDeliveryStream',
  ],
  passesDeliveryRoles: true,
  timeoutSeconds: 60,
} satisfies LambdaDefinition<typeof environment>;
