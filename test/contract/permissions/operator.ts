/** What happens to the service's resources behind its back. */
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteEndpointCommand, SetEndpointAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ExpiryQueue } from '../../../core/confirmations/expiry-queue.ts';
import { WaitingExpiryStore } from '../../../core/confirmations/waiting-expiry-store.ts';
import type { Confirmation } from '../../../client/contract.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { pushesTo } from '../scenario.ts';

const endpointsSchema = v.object({ dynamodb: v.string(), sns: v.string(), sqs: v.string() });

function access(stack: TestStack, service: 'dynamodb' | 'sns' | 'sqs') {
  const { region, endpoints } = stack.file.aws;
  const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'any' };
  return { region, endpoint: v.parse(endpointsSchema, endpoints)[service], credentials };
}

/** The work gets the endpoint that the device was last reached at. */
async function withEndpoint(
  stack: TestStack,
  { description }: SimulatedDevice,
  work: (client: SNSClient, endpointArn: string | undefined) => Promise<unknown>,
): Promise<void> {
  // Another path may make SNS fail at this moment.
  const client = new SNSClient({ ...access(stack, 'sns'), maxAttempts: 10 });
  const arrived = await pushesTo(stack, description.pushToken);
  await work(client, arrived.at(-1)?.endpointArn);
  client.destroy();
}

export async function deleteEndpoint(stack: TestStack, device: SimulatedDevice): Promise<void> {
  await withEndpoint(stack, device, async (client, EndpointArn) => {
    await client.send(new DeleteEndpointCommand({ EndpointArn }));
  });
}

/** What SNS itself does when the push provider says that the token is stale. */
export async function disableEndpoint(stack: TestStack, device: SimulatedDevice): Promise<void> {
  const Attributes = { Enabled: 'false' };
  await withEndpoint(stack, device, async (client, EndpointArn) => {
    await client.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes }));
  });
}

/** An expiry that waited until it is due, as nobody waits for it here. */
export async function makeDue(stack: TestStack, { tenantId, challengeId }: Confirmation): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(access(stack, 'dynamodb')));
  const waiting = new WaitingExpiryStore(client, localTables.expiries);
  await waiting.add([{ tenantId, challengeId, expiresAt: Date.now() }]);
  client.destroy();
}

/** An alarm that comes before the confirmation is over, as from a clock that is ahead. */
export async function ringAlarm(stack: TestStack, { challengeId }: Confirmation): Promise<void> {
  const client = new SQSClient(access(stack, 'sqs'));
  const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName: localQueues.expiry }));
  const [{ tenantId }] = stack.file.tenants;
  await new ExpiryQueue(client, QueueUrl).schedule([{ tenantId, challengeId, expiresAt: Date.now() }]);
  client.destroy();
}
