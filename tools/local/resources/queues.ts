import {
  CreateQueueCommand,
  SetQueueAttributesCommand,
  type SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs';
import { type QueueDefinition, type QueueName, queues } from '../../../core/aws/queues.ts';
import { retention } from '../../../core/kernel/retention.ts';
import { accountId } from '../aws/identity.ts';

const queueNames = Object.keys(queues) as QueueName[];

/** The names of the queues on the local stack. */
export const localQueues = Object.fromEntries(
  queueNames.map((name) => [name, `omi-local-${name}${suffixOf(queues[name])}`]),
) as Record<QueueName, string>;

/** SQS requires this suffix. */
function suffixOf({ fifo }: QueueDefinition): string {
  return fifo ? '.fifo' : '';
}

export type QueueUrls = Record<QueueName, string>;

export const queueArnOf = (queue: string, region: string): string =>
  `arn:aws:sqs:${region}:${accountId}:${queue}`;

/** Creates the missing queues, each with its dead-letter queue. */
export async function createQueues(client: SQSClient, region: string): Promise<QueueUrls> {
  const created = queueNames.map(async (name) => {
    const definition: QueueDefinition = queues[name];
    const url = await create(client, localQueues[name], definition, {
      VisibilityTimeout: String(definition.visibilityTimeout),
      ...(await deadLetters(client, name, region)),
    });
    return [name, url];
  });
  return Object.fromEntries(await Promise.all(created)) as QueueUrls;
}

async function deadLetters(
  client: SQSClient,
  name: QueueName,
  region: string,
): Promise<Record<string, string>> {
  const definition: QueueDefinition = queues[name];
  const { maxReceiveCount } = definition;
  if (maxReceiveCount === undefined) return {};
  const queue = `omi-local-${name}-dead-letters${suffixOf(definition)}`;
  await create(client, queue, definition, {});
  const deadLetterTargetArn = queueArnOf(queue, region);
  return { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }) };
}

/** Also updates the attributes of a queue that a data folder already has. */
async function create(
  client: SQSClient,
  QueueName: string,
  { fifo }: QueueDefinition,
  attributes: Record<string, string>,
): Promise<string> {
  const lasting = fifo ? { FifoQueue: 'true' } : {};
  const Attributes = { ...attributes, MessageRetentionPeriod: String(retention.waiting / 1_000) };
  const input = { QueueName, Attributes: { ...lasting, ...Attributes } };
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand(input)).catch(async (error: unknown) => {
    if (!hasOtherAttributes(error)) throw error;
    const found = await client.send(new CreateQueueCommand({ QueueName, Attributes: lasting }));
    await client.send(new SetQueueAttributesCommand({ QueueUrl: found.QueueUrl, Attributes }));
    return found;
  });
  return QueueUrl;
}

/** True for a queue of an earlier version. The emulator's code is not the one that the SDK has a class for. */
const hasOtherAttributes = (error: unknown): boolean =>
  error instanceof SQSServiceException && error.name.endsWith('QueueNameExists');
