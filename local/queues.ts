import { CreateQueueCommand, SetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type QueueDefinition, type QueueName, queues } from '../core/adapters/queues.ts';
import { ACCOUNT_ID } from './aws/identity.ts';

const queueNames = Object.keys(queues) as QueueName[];

/** What the queues are called on the local stack. */
export const localQueues = Object.fromEntries(
  queueNames.map((name) => [name, `omi-local-${name}`]),
) as Record<QueueName, string>;

export type QueueUrls = Record<QueueName, string>;

export const queueArnOf = (queue: string, region: string): string =>
  `arn:aws:sqs:${region}:${ACCOUNT_ID}:${queue}`;

/** Makes the queues that are not there yet, each with its dead letters. */
export async function createQueues(client: SQSClient, region: string): Promise<QueueUrls> {
  const created = queueNames.map(async (name) => {
    const deadLetters = `${localQueues[name]}-dead-letters`;
    await create(client, deadLetters, {});
    const { visibilityTimeout, maxReceiveCount }: QueueDefinition = queues[name];
    const url = await create(client, localQueues[name], {
      VisibilityTimeout: String(visibilityTimeout),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: queueArnOf(deadLetters, region),
        maxReceiveCount,
      }),
    });
    return [name, url];
  });
  return Object.fromEntries(await Promise.all(created)) as QueueUrls;
}

const RETENTION_SECONDS = 14 * 24 * 60 * 60;

/** One that exists, in a data folder, gets the attributes that it has now. */
async function create(
  client: SQSClient,
  QueueName: string,
  attributes: Record<string, string>,
): Promise<string> {
  const Attributes = { ...attributes, MessageRetentionPeriod: String(RETENTION_SECONDS) };
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName }));
  await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  return QueueUrl;
}
