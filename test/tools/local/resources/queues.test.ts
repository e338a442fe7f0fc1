import {
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  SQSClient,
  type QueueAttributeName,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { queues } from '../../../../core/aws/queues.ts';
import { startFauxqs, type Fauxqs } from '../../../../tools/local/aws/emulators/fauxqs/start.ts';
import { sqs } from '../../../../tools/local/aws/protocols/sqs.ts';
import { createQueues, localQueues, queueArnOf } from '../../../../tools/local/resources/queues.ts';
import { clientOf, startAlone, type Alone } from '../aws/clients.ts';

const region = 'eu-central-1';
let fauxqs: Fauxqs;
let alone: Alone;
let client: SQSClient;

beforeAll(async () => {
  fauxqs = await startFauxqs();
  alone = await startAlone(sqs, fauxqs.sqs);
  client = new SQSClient(clientOf(alone.url));
});
afterAll(async () => {
  client.destroy();
  await alone.close();
  await fauxqs.close();
});

const attributesOf = async (
  QueueUrl: string,
  ...AttributeNames: QueueAttributeName[]
): Promise<Record<string, string> | undefined> =>
  (await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }))).Attributes;

const retention = { MessageRetentionPeriod: String(14 * 24 * 3_600) };

test('a queue hides, dead-letters and forgets messages as defined', async () => {
  const { expiry, parking } = await createQueues(client, region);
  const deadLetterTargetArn = queueArnOf('omi-local-expiry-dead-letters', region);
  const { visibilityTimeout, maxReceiveCount } = queues.expiry;
  expect(
    await attributesOf(expiry, 'VisibilityTimeout', 'MessageRetentionPeriod', 'RedrivePolicy', 'FifoQueue'),
  ).toEqual({
    ...retention,
    VisibilityTimeout: String(visibilityTimeout),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
  });
  expect(parking.endsWith(`/${localQueues.parking}`)).toBe(true);
  expect(
    await attributesOf(parking, 'VisibilityTimeout', 'MessageRetentionPeriod', 'RedrivePolicy', 'FifoQueue'),
  ).toEqual({
    ...retention,
    VisibilityTimeout: String(queues.parking.visibilityTimeout),
    FifoQueue: 'true',
  });
});

test.each(['expiry', 'parking'] as const)(
  'the queue %s of an earlier version gets the current attributes',
  async (name) => {
    const QueueUrl = (await createQueues(client, region))[name];
    const Attributes = { VisibilityTimeout: '7', MessageRetentionPeriod: '3600' };
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
    expect((await createQueues(client, region))[name]).toBe(QueueUrl);
    expect(await attributesOf(QueueUrl, 'VisibilityTimeout', 'MessageRetentionPeriod')).toEqual({
      ...retention,
      VisibilityTimeout: String(queues[name].visibilityTimeout),
    });
  },
);
