import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
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
});
