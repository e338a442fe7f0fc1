import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-kinesis';
import {
  CreateDeliveryStreamCommand,
  DescribeDeliveryStreamCommand,
  FirehoseClient,
} from '@aws-sdk/client-firehose';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { documentClient } from '../../core/adapters/dynamodb.ts';
import { sqsClient } from '../../core/adapters/sqs.ts';
import type {
  BucketDestination,
  Category,
  StreamDestination,
  Target,
  TargetRef,
} from '../../core/domain/target.ts';
import { deliveryDeps } from '../../core/export-wiring.ts';
import { exportBatch } from '../../core/operations/export-batch.ts';
import { redeliverBatch } from '../../core/operations/redeliver-batch.ts';
import type { RedeliveryDeps } from '../../core/operations/redeliver-lane.ts';
import { startLocalCloud, type LocalCloud } from '../../local/aws/cloud.ts';
import { tableInput } from '../../local/tables.ts';
import { tables } from '../../core/adapters/tables.ts';
import { logger } from '../../core/observability.ts';

/** An event as a test cares for it. */
export type TestEvent = { key: string; n: number; type?: string; filler?: string };

type Delivered = { key: string; n: number };

/** Events of one aggregate, numbered. */
export const series = (key: string, from: number, count: number): TestEvent[] =>
  Array.from({ length: count }, (_, index) => ({ key, n: from + index }));

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** The export on the local AWS: its exporter and redelivery run as Lambda would call them, one batch at a time. */
export class ExportWorld {
  readonly cloud: LocalCloud;
  readonly deps: ReturnType<typeof deliveryDeps> & RedeliveryDeps;
  readonly dynamodb: DynamoDBDocumentClient;
  readonly sqs: SQSClient;
  readonly kinesis = new KinesisClient({});
  readonly firehose = new FirehoseClient({});
  readonly #queueUrl: string;
  readonly #deadLetterUrl: string;
  #sequence = 0;

  private constructor(cloud: LocalCloud, sqs: SQSClient, queueUrl: string, deadLetterUrl: string) {
    this.cloud = cloud;
    this.sqs = sqs;
    this.#queueUrl = queueUrl;
    this.#deadLetterUrl = deadLetterUrl;
    this.dynamodb = documentClient();
    const environment = {
      TENANTS_TABLE: 'tenants',
      PARKING_QUEUE_URL: queueUrl,
      UNDELIVERABLE_QUEUE_URL: deadLetterUrl,
    };
    this.deps = { ...deliveryDeps(environment), backoff: { shortest: 1, longest: 1 } };
  }

  static async start(): Promise<ExportWorld> {
    logger.setLogLevel('SILENT');
    const cloud = await startLocalCloud({ log: () => undefined });
    process.env['AWS_REGION'] = cloud.region;
    process.env['AWS_ACCESS_KEY_ID'] = 'EXPORTER';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
    for (const [service, url] of Object.entries(cloud.endpoints))
      process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] = url;
    const sqs = sqsClient();
    const [parking, deadLetters] = await Promise.all([
      sqs.send(
        new CreateQueueCommand({
          QueueName: 'parking.fifo',
          Attributes: { FifoQueue: 'true', VisibilityTimeout: '60' },
        }),
      ),
      sqs.send(new CreateQueueCommand({ QueueName: 'dead-letters' })),
      documentClient().send(new CreateTableCommand(tableInput(tables.tenants, 'tenants'))),
    ]);
    return new ExportWorld(cloud, sqs, parking.QueueUrl ?? '', deadLetters.QueueUrl ?? '');
  }

  async close(): Promise<void> {
    await this.cloud.close();
  }

  /** How often this was called for this stream, delivery stream or role. */
  callsOf(operation: string, resource: string): number {
    const calls = this.cloud.calls.list().filter((call) => call.operation === operation);
    return calls.filter(({ resources }) => resources.includes(resource)).length;
  }

  /** A tenant of its own with a stream of its own, which is active. */
  async streamTarget(
    options: { lanes?: number; category?: Category; shards?: number; types?: string[] } = {},
  ) {
    const { lanes = 2, category = 'public', shards = 1, types } = options;
    const ref: TargetRef = { tenantId: randomUUID(), category };
    const name = `stream-${ref.tenantId}`;
    await this.kinesis.send(new CreateStreamCommand({ StreamName: name, ShardCount: shards }));
    await until(async () => {
      const { StreamDescriptionSummary } = await this.kinesis.send(
        new DescribeStreamSummaryCommand({ StreamName: name }),
      );
      return StreamDescriptionSummary?.StreamStatus === 'ACTIVE';
    });
    const externalId = randomUUID();
    const roleArn = `arn:aws:iam::000000000000:role/${ref.tenantId}`;
    this.cloud.roles.put({ arn: roleArn, trust: { principal: '000000000000', externalId } });
    const destination: StreamDestination = {
      kind: 'stream',
      streamArn: `arn:aws:kinesis:${this.cloud.region}:000000000000:stream/${name}`,
      roleArn,
      externalId,
      lanes,
    };
    await this.#register(ref, destination, types);
    return { ref, name, destination };
  }

  /** A tenant of its own with a bucket of its own, and the delivery stream to it. */
  async bucketTarget() {
    const ref: TargetRef = { tenantId: randomUUID(), category: 'log' };
    const name = `to-${ref.tenantId}`;
    await new S3Client({ forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: name }));
    await this.firehose.send(
      new CreateDeliveryStreamCommand({
        DeliveryStreamName: name,
        ExtendedS3DestinationConfiguration: {
          BucketARN: `arn:aws:s3:::${name}`,
          RoleARN: 'arn:aws:iam::000000000000:role/delivery',
          BufferingHints: { IntervalInSeconds: 1, SizeInMBs: 128 },
        },
      }),
    );
    await until(async () => {
      const { DeliveryStreamDescription } = await this.firehose.send(
        new DescribeDeliveryStreamCommand({ DeliveryStreamName: name }),
      );
      return DeliveryStreamDescription?.DeliveryStreamStatus === 'ACTIVE';
    });
    const destination: BucketDestination = {
      kind: 'bucket',
      bucket: name,
      deliveryStreamName: name,
      deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
    };
    await this.#register(ref, destination);
    return { ref, name, destination };
  }

  async #register(ref: TargetRef, destination: StreamDestination | BucketDestination, types?: string[]) {
    await this.deps.targets.register(ref, destination, Date.now(), types);
    const target = await this.target(ref);
    await this.deps.targets.move(target, 'validate', Date.now());
  }

  async target(ref: TargetRef): Promise<Target> {
    const target = await this.deps.targets.find(ref);
    if (!target) throw new Error('There is no such target');
    return target;
  }

  /** Records of the events table's stream, as Lambda hands them over. */
  records({ tenantId, category }: TargetRef, events: TestEvent[]): DynamoDBRecord[] {
    return events.map(({ key, n, type = 'TestEvent', filler = '' }) => {
      this.#sequence += 1;
      const sequence = String(this.#sequence).padStart(20, '0');
      const event = JSON.stringify({ metadata: { tenantId, category, key, n }, payload: { filler } });
      return {
        eventName: 'INSERT',
        dynamodb: {
          SequenceNumber: sequence,
          ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
          NewImage: {
            pk: { S: `${tenantId}#${key}` },
            sk: { S: randomUUID() },
            hour: { S: `${tenantId}#${category}#2026-01-01T00` },
            sequence: { S: sequence },
            type: { S: type },
            event: { S: event },
          },
        },
      };
    });
  }

  /** @returns checkpoints of what is to come again */
  async export(...batches: DynamoDBRecord[][]): Promise<string[]> {
    return await exportBatch(this.deps, batches.flat());
  }

  /**
   * Takes the messages that can be had now, as Lambda does.
   *
   * @returns how many were delivered, and how many stay
   */
  async redeliver(): Promise<{ done: number; left: number }> {
    const messages = await this.receive();
    const left = await redeliverBatch(this.deps, messages);
    const done = messages.filter(({ messageId }) => !left.includes(messageId));
    await this.remove(done);
    return { done: done.length, left: left.length };
  }

  async receive(): Promise<SQSRecord[]> {
    const { Messages = [] } = await this.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: this.#queueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages.map(asLambdaRecord);
  }

  async remove(messages: SQSRecord[]): Promise<void> {
    for (const { receiptHandle } of messages)
      await this.sqs.send(
        new DeleteMessageCommand({ QueueUrl: this.#queueUrl, ReceiptHandle: receiptHandle }),
      );
  }

  /** What time does to messages that nobody deleted. */
  async release(messages: SQSRecord[]): Promise<void> {
    for (const { receiptHandle } of messages)
      await this.sqs.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: this.#queueUrl,
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: 0,
        }),
      );
  }

  /** Until nothing of this target waits any more. */
  async drain(ref: TargetRef): Promise<void> {
    await until(async () => {
      await this.redeliver();
      return (await this.target(ref)).state === 'active';
    });
  }

  async deadLetters(): Promise<unknown[]> {
    const { Messages = [] } = await this.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: this.#deadLetterUrl, MaxNumberOfMessages: 10 }),
    );
    for (const { ReceiptHandle } of Messages)
      await this.sqs.send(new DeleteMessageCommand({ QueueUrl: this.#deadLetterUrl, ReceiptHandle }));
    return Messages.map(({ Body = '' }) => JSON.parse(Body) as unknown);
  }

  /** A stream's records, shard by shard. */
  async read(StreamName: string): Promise<StreamRecord[]> {
    const { Shards = [] } = await this.kinesis.send(new ListShardsCommand({ StreamName }));
    const read = Shards.map(async ({ ShardId }) => await this.#readShard(StreamName, ShardId));
    return (await Promise.all(read)).flat();
  }

  async shardSizes(StreamName: string): Promise<number[]> {
    const { Shards = [] } = await this.kinesis.send(new ListShardsCommand({ StreamName }));
    return await Promise.all(
      Shards.map(async ({ ShardId }) => (await this.#readShard(StreamName, ShardId)).length),
    );
  }

  async #readShard(StreamName: string, ShardId: string | undefined): Promise<StreamRecord[]> {
    const { ShardIterator } = await this.kinesis.send(
      new GetShardIteratorCommand({ StreamName, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    return (await this.kinesis.send(new GetRecordsCommand({ ShardIterator }))).Records ?? [];
  }

  /** What a delivery stream wrote, once it has written something. */
  async written(bucket: string): Promise<string> {
    const s3 = new S3Client({ forcePathStyle: true });
    let keys: string[] = [];
    await until(async () => {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
      keys = Contents.map(({ Key = '' }) => Key);
      return keys.length > 0;
    });
    const bodies = keys.map(async (Key) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
      return (await Body?.transformToString()) ?? '';
    });
    return (await Promise.all(bodies)).join('');
  }

  /** What a consumer gets, in its order, duplicates included. */
  async consumed(stream: string): Promise<Delivered[]> {
    return (await this.read(stream)).flatMap(({ Data }) => {
      const { events } = JSON.parse(Buffer.from(Data ?? []).toString()) as {
        events: { metadata: Delivered }[];
      };
      return events.map(({ metadata: { key, n } }) => ({ key, n }));
    });
  }
}

const asLambdaRecord = (message: Message): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: message.Attributes as unknown as SQSRecord['attributes'],
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, { StringValue = '' }]) => [
      name,
      { dataType: 'Number', stringValue: StringValue },
    ]),
  ),
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: '',
  awsRegion: '',
});
