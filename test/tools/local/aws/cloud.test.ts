import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateEventBusCommand, EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateDeliveryStreamCommand,
  FirehoseClient,
  ListDeliveryStreamsCommand,
} from '@aws-sdk/client-firehose';
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  PutRecordsCommand,
} from '@aws-sdk/client-kinesis';
import {
  CreateBucketCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  CreatePlatformApplicationCommand,
  ListPlatformApplicationsCommand,
  SNSClient,
} from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LocalCloud, startLocalCloud } from '../../../../tools/local/aws/cloud.ts';
import { JavaMissingError } from '../../../../tools/local/aws/emulators/dynamodb-local/start.ts';
import { sentTo } from '../../../../tools/local/client/sent-to-bus.ts';
import { clientOf } from './clients.ts';
import { trustPolicyOf } from '../../../support/trust-policy.ts';

let dataDirectory: string;
let cloud: LocalCloud;

const start = async (): Promise<LocalCloud> => await startLocalCloud({ dataDirectory, log: () => undefined });

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'omi-cloud-'));
  cloud = await start();
});
afterAll(async () => {
  await cloud.close();
  await rm(dataDirectory, { recursive: true });
});

const dynamodb = () => new DynamoDBClient(clientOf(cloud.endpoints.dynamodb));
const kinesis = () => new KinesisClient(clientOf(cloud.endpoints.kinesis));
const s3 = () => new S3Client(clientOf(cloud.endpoints.s3));
const sqs = () => new SQSClient(clientOf(cloud.endpoints.sqs));
const sns = () => new SNSClient(clientOf(cloud.endpoints.sns));
const eventbridge = () => new EventBridgeClient(clientOf(cloud.endpoints.eventbridge));
const firehose = () => new FirehoseClient(clientOf(cloud.endpoints.firehose));

async function streamIsActive(client: KinesisClient, StreamName: string): Promise<void> {
  for (;;) {
    const { StreamDescriptionSummary } = await client.send(new DescribeStreamSummaryCommand({ StreamName }));
    if (StreamDescriptionSummary?.StreamStatus === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function recordsOf(client: KinesisClient, StreamName: string): Promise<string[]> {
  const shard = { StreamName, ShardId: 'shardId-000000000000', ShardIteratorType: 'TRIM_HORIZON' as const };
  const { ShardIterator } = await client.send(new GetShardIteratorCommand(shard));
  const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator }));
  return Records.map(({ Data }) => Buffer.from(Data ?? []).toString());
}

describe('Kinesis', () => {
  beforeAll(async () => {
    await kinesis().send(new CreateStreamCommand({ StreamName: 'omi-public', ShardCount: 1 }));
    await streamIsActive(kinesis(), 'omi-public');
  });

  test('writes and reads records in order, with HTTP/2 and HTTP/1.1', async () => {
    const http1 = new KinesisClient({
      ...clientOf(cloud.endpoints.kinesis),
      requestHandler: new NodeHttpHandler(),
    });
    for (const [index, client] of [kinesis(), http1].entries()) {
      const record = { Data: Buffer.from(`{"events":[${index}]}`), PartitionKey: 'bucket' };
      await client.send(new PutRecordsCommand({ StreamName: 'omi-public', Records: [record] }));
    }
    const all = ['{"events":[0]}', '{"events":[1]}'];
    expect(await recordsOf(kinesis(), 'omi-public')).toEqual(all);
    expect(await recordsOf(http1, 'omi-public')).toEqual(all);
  });

  test('rejects more than 500 records in a call', async () => {
    const Records = Array.from({ length: 501 }, () => ({ Data: Buffer.from('x'), PartitionKey: 'x' }));
    const call = kinesis().send(new PutRecordsCommand({ StreamName: 'omi-public', Records }));
    await expect(call).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

test('SQS delivers a group of a FIFO queue in order, each message when the previous one is deleted', async () => {
  const Attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true' };
  const { QueueUrl } = await sqs().send(new CreateQueueCommand({ QueueName: 'parked.fifo', Attributes }));
  expect(QueueUrl).toBe(`${cloud.endpoints.sqs}/000000000000/parked.fifo`);
  for (const MessageBody of ['1', '2', '1']) {
    await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: 'target' }));
  }
  const receive = async () => (await sqs().send(new ReceiveMessageCommand({ QueueUrl }))).Messages?.[0];
  const first = await receive();
  expect(first?.Body).toBe('1');
  expect(await receive()).toBeUndefined();
  await sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first?.ReceiptHandle }));
  expect(await receive()).toMatchObject({ Body: '2' });
});

describe('S3', () => {
  test('returns the region of a bucket', async () => {
    await s3().send(new CreateBucketCommand({ Bucket: 'somewhere' }));
    const { LocationConstraint } = await s3().send(new GetBucketLocationCommand({ Bucket: 'somewhere' }));
    expect(LocationConstraint).toBe('eu-central-1');
    const nowhere = s3().send(new GetBucketLocationCommand({ Bucket: 'nowhere' }));
    await expect(nowhere).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  test('rejects unsupported subresources, instead of doing something else', async () => {
    const call = s3().send(new PutBucketPolicyCommand({ Bucket: 'unborn', Policy: '{}' }));
    await expect(call).rejects.toMatchObject({ name: 'NotImplemented' });
    await expect(s3().send(new HeadBucketCommand({ Bucket: 'unborn' }))).rejects.toMatchObject({
      name: 'NotFound',
    });
  });
});

test('each service has an endpoint that records its calls', async () => {
  await sqs().send(new CreateQueueCommand({ QueueName: 'recorded' }));
  expect(Object.keys(cloud.endpoints).sort()).toEqual([
    'cloudwatch',
    'dynamodb',
    'eventbridge',
    'firehose',
    'kinesis',
    'kms',
    's3',
    'secretsmanager',
    'sesv2',
    'sns',
    'sqs',
    'sts',
  ]);
  expect(cloud).toMatchObject({ region: 'eu-central-1', accountId: '000000000000' });
  expect(cloud.calls.list()).toContainEqual(
    expect.objectContaining({ service: 'sqs', resources: ['recorded'] }),
  );
});

test('the cloud does not start without Java', async () => {
  const before = process.env['JAVA_HOME'];
  const home = await mkdtemp(join(tmpdir(), 'omi-java-'));
  await mkdir(join(home, 'bin'));
  await writeFile(join(home, 'bin/java'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  process.env['JAVA_HOME'] = home;
  await expect(startLocalCloud({ log: () => undefined })).rejects.toThrow(JavaMissingError);
  if (before === undefined) delete process.env['JAVA_HOME'];
  else process.env['JAVA_HOME'] = before;
  await rm(home, { recursive: true });
});

test('everything survives a restart with a data directory', async () => {
  await dynamodb().send(
    new CreateTableCommand({
      TableName: 'devices',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    }),
  );
  const Item = { pk: { S: 'device' } };
  await dynamodb().send(new PutItemCommand({ TableName: 'devices', Item }));
  await s3().send(new CreateBucketCommand({ Bucket: 'omi-log' }));
  await s3().send(new PutObjectCommand({ Bucket: 'omi-log', Key: '2026/object', Body: 'line\n' }));
  const { QueueUrl } = await sqs().send(new CreateQueueCommand({ QueueName: 'queue' }));
  await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: 'kept' }));
  const application = { Name: 'omi', Platform: 'APNS', Attributes: { PlatformCredential: 'x' } };
  const { PlatformApplicationArn } = await sns().send(new CreatePlatformApplicationCommand(application));
  const ExtendedS3DestinationConfiguration = {
    BucketARN: 'arn:aws:s3:::omi-log',
    RoleARN: 'arn:aws:iam::000000000000:role/r',
  };
  await firehose().send(
    new CreateDeliveryStreamCommand({ DeliveryStreamName: 'omi-log', ExtendedS3DestinationConfiguration }),
  );
  const record = { Data: Buffer.from('kept'), PartitionKey: 'bucket' };
  await kinesis().send(new CreateStreamCommand({ StreamName: 'omi-kept', ShardCount: 1 }));
  await streamIsActive(kinesis(), 'omi-kept');
  await kinesis().send(new PutRecordsCommand({ StreamName: 'omi-kept', Records: [record] }));
  const { EventBusArn = '' } = await eventbridge().send(new CreateEventBusCommand({ Name: 'omi-kept' }));
  const entry = { EventBusName: EventBusArn, Source: 'omi', DetailType: 'kept', Detail: '{}' };
  await eventbridge().send(new PutEventsCommand({ Entries: [entry] }));
  const role = cloud.roles.put({
    arn: 'arn:aws:iam::111122223333:role/omi',
    trustPolicy: trustPolicyOf({ principal: '*' }),
  });

  await cloud.close();
  cloud = await start();

  expect(await dynamodb().send(new GetItemCommand({ TableName: 'devices', Key: Item }))).toMatchObject({
    Item,
  });
  const object = await s3().send(new GetObjectCommand({ Bucket: 'omi-log', Key: '2026/object' }));
  expect(await object.Body?.transformToString()).toBe('line\n');
  const found = await sqs().send(new GetQueueUrlCommand({ QueueName: 'queue' }));
  const { Messages } = await sqs().send(new ReceiveMessageCommand(found as { QueueUrl: string }));
  expect(Messages).toMatchObject([{ Body: 'kept' }]);
  const { PlatformApplications } = await sns().send(new ListPlatformApplicationsCommand({}));
  expect(PlatformApplications).toMatchObject([{ PlatformApplicationArn }]);
  expect(await firehose().send(new ListDeliveryStreamsCommand({}))).toMatchObject({
    DeliveryStreamNames: ['omi-log'],
  });
  expect(cloud.roles.list()).toEqual([role]);
  expect(await recordsOf(kinesis(), 'omi-kept')).toEqual(['kept']);
  await eventbridge().send(new PutEventsCommand({ Entries: [entry] }));
  expect(await sentTo(cloud.endpoints.eventbridge, EventBusArn)).toMatchObject([
    { detailType: 'kept' },
    { detailType: 'kept' },
  ]);
});
