import { byKind } from '../../core/export/kinds/records.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { CreateStreamCommand, DescribeStreamSummaryCommand, KinesisClient } from '@aws-sdk/client-kinesis';
import {
  CreateDeliveryStreamCommand,
  DescribeDeliveryStreamCommand,
  FirehoseClient,
} from '@aws-sdk/client-firehose';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EventStore } from '../../core/events/event-store.ts';
import { readReplay } from '../../core/export/replays/replay-queue.ts';
import { TargetReadiness } from '../../core/export/targets/target-readiness-store.ts';
import type { ReplayProgress } from '../../core/export/replays/replay-store.ts';
import { kmsClient } from '../../core/aws/kms-client.ts';
import { SecretBox } from '../../core/aws/secret-box-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import type { Event } from '../../core/events/event.ts';
import type { Replay } from '../../core/export/replays/replay.ts';
import { isDrained, slowCodes, type Target } from '../../core/export/targets/target.ts';
import type { BucketDestination } from '../../core/export/kinds/bucket/record.ts';
import type { StreamDestination } from '../../core/export/kinds/stream/record.ts';
import { type WebhookDestination, webhookContext } from '../../core/export/kinds/webhook/record.ts';
import { propertiesOf } from '../../core/export/kinds/records.ts';
import type { Category, TargetRef } from '../../core/events/target-ref.ts';
import { deliveryDeps } from '../../core/lambda/export-wiring.ts';
import type { SealedSecret } from '../../core/outbound/sealed-secret.ts';
import { exportBatch, timeBudget, type TimeBudget } from '../../core/export/delivery/export-batch.ts';
import { MessageProgress } from '../../core/export/delivery/message-progress.ts';
import { redeliverBatch } from '../../core/export/delivery/redeliver-batch.ts';
import {
  readVerificationRequest,
  type VerificationRequest,
} from '../../core/export/verification/verification-queue.ts';
import type { Delivery } from '../../core/export/delivery/send-with-retries.ts';
import type { Writer } from '../../core/export/delivery/writer.ts';
import type { RedeliveryDeps } from '../../core/export/delivery/redeliver-lane.ts';
import {
  replayEvents,
  replayPace,
  type ReplayDeps,
  type ReplayPace,
} from '../../core/export/replays/replay-events.ts';
import { startReplay, type ReplayRequest } from '../../core/export/replays/start-replay.ts';
import { replayDeps } from '../../core/lambda/replay-wiring.ts';
import { startLocalCloud, type LocalCloud } from '../../tools/local/aws/cloud.ts';
import { BucketReader, type ExportedObject } from '../../tools/local/client/bucket-reader.ts';
import { type ExportedRecord, StreamReader } from '../../client/stream-reader.ts';
import { kinesisOf } from '../../tools/local/client/reader-access.ts';
import { lambdaRecordOf } from '../../tools/local/event-sources/queue-record.ts';
import { createKmsKeys } from '../../tools/local/seed/kms-keys.ts';
import { localKeys } from '../../tools/local/resources/kms-keys.ts';
import { createTable } from './dynamodb.ts';
import { sharedEmulators } from './run-services.ts';
import { logger } from '../../core/kernel/observability.ts';
import { trustPolicyOf } from './trust-policy.ts';
import { until } from './waiting.ts';

/** An event as a test cares for it. */
export type TestEvent = { key: string; n: number; type?: string; filler?: string };

type Delivered = { key: string; n: number };

/** Of a consumer's event what tells whether it came before. */
export type DeliveredEvent = Delivered & { eventId: string };

/** Events of one aggregate, numbered. */
export const series = (key: string, from: number, count: number): TestEvent[] =>
  Array.from({ length: count }, (_, index) => ({ key, n: from + index }));

/** More time than a batch has: on a busy machine a target that is well would not take its events in two seconds. */
export const patient: TimeBudget = { ...timeBudget, perTarget: 60_000, perBatch: 60_000, perParking: 60_000 };

/** Where everything was taken, it does not matter how long that took. */
function inAnyTime(writer: Writer): Writer {
  const deliver = async (...given: Parameters<Writer['deliver']>): Promise<Delivery> => {
    const { fault, ...delivery } = await writer.deliver(...given);
    return { ...delivery, ...(fault && fault.code !== slowCodes.slow && { fault }) };
  };
  return { deliver };
}

type QueueName = 'parking' | 'deadLetters' | 'replays' | 'verifications';

/** Steps that follow at once: tests do not wait. */
export const quickPace: ReplayPace = { ...replayPace, next: 0, busy: 0, closed: 0, index: 0 };

/** The export on the local AWS: its exporter and redelivery run as Lambda would call them, one batch at a time. */
export class ExportWorld {
  readonly cloud: LocalCloud;
  /** As deployed: a target is slow if a call takes more than a second, as it may on a busy machine. */
  readonly deployed: ReturnType<typeof deliveryDeps> & RedeliveryDeps;
  /** The same, but no target is slow. */
  readonly deps: RedeliveryDeps & Pick<ReturnType<typeof deliveryDeps>, 'targets' | 'watermarks' | 'parking'>;
  readonly dynamodb: DynamoDBDocumentClient;
  readonly sqs: SQSClient;
  readonly kinesis = new KinesisClient({});
  readonly firehose = new FirehoseClient({});
  /** What replays need; a test may put parts of its own in their place. */
  readonly replays: ReturnType<typeof replayDeps>;
  readonly #queueUrl: string;
  readonly #deadLetterUrl: string;
  readonly #verificationsUrl: string;
  readonly replaysUrl: string;
  #sequence = 0;
  #keys: Promise<void> | undefined;

  private constructor(cloud: LocalCloud, sqs: SQSClient, urls: Record<QueueName, string>) {
    this.cloud = cloud;
    this.sqs = sqs;
    this.#queueUrl = urls.parking;
    this.#deadLetterUrl = urls.deadLetters;
    this.#verificationsUrl = urls.verifications;
    this.replaysUrl = urls.replays;
    this.dynamodb = documentClient();
    const environment = {
      TENANTS_TABLE: 'tenants',
      EVENTS_TABLE: 'events',
      ATTEMPTS_TABLE: 'attempts',
      SIGNALS_TABLE: 'signals',
      SIGNAL_KEY_IDS: localKeys.signals,
      PARKING_QUEUE_URL: urls.parking,
      UNDELIVERABLE_QUEUE_URL: urls.deadLetters,
      REPLAYS_QUEUE_URL: urls.replays,
      BASE_URL: 'https://omi.example.com',
      SECRETS_KEY_ID: localKeys.secrets,
      OUTBOUND_LOOPBACK: 'allowed' as const,
      VERIFICATIONS_QUEUE_URL: urls.verifications,
    };
    this.replays = replayDeps(environment);
    this.deployed = {
      ...deliveryDeps(environment),
      backoff: { shortestSeconds: 1, longestSeconds: 1 },
      progress: new MessageProgress(),
    };
    const { writers } = this.deployed;
    this.deps = {
      ...this.deployed,
      writers: byKind((kind) => inAnyTime(writers[kind])),
    };
  }

  static async start(): Promise<ExportWorld> {
    logger.setLogLevel('SILENT');
    const cloud = await startLocalCloud({ ...(await sharedEmulators()), log: () => undefined });
    process.env['AWS_REGION'] = cloud.region;
    process.env['AWS_ACCESS_KEY_ID'] = 'EXPORTER';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
    for (const [service, url] of Object.entries(cloud.endpoints))
      process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] = url;
    const sqs = sqsClient();
    const [parking, deadLetters, replays, verifications] = await Promise.all([
      sqs.send(
        new CreateQueueCommand({
          QueueName: 'parking.fifo',
          Attributes: { FifoQueue: 'true', VisibilityTimeout: '60' },
        }),
      ),
      sqs.send(new CreateQueueCommand({ QueueName: 'dead-letters' })),
      sqs.send(new CreateQueueCommand({ QueueName: 'replays', Attributes: { VisibilityTimeout: '60' } })),
      sqs.send(new CreateQueueCommand({ QueueName: 'verifications' })),
      createTable(documentClient(), 'tenants'),
      createTable(documentClient(), 'events'),
    ]);
    return new ExportWorld(cloud, sqs, {
      parking: parking.QueueUrl ?? '',
      deadLetters: deadLetters.QueueUrl ?? '',
      replays: replays.QueueUrl ?? '',
      verifications: verifications.QueueUrl ?? '',
    });
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
    this.cloud.roles.put({
      arn: roleArn,
      trustPolicy: trustPolicyOf({ principal: '000000000000', externalId }),
    });
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
  async bucketTarget(category: Category = 'log') {
    const ref: TargetRef = { tenantId: randomUUID(), category };
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

  /** A tenant of its own with a webhook, which is active. */
  async webhookTarget(url: string, options: { lanes?: number; category?: Category; types?: string[] } = {}) {
    const { lanes = 2, category = 'public', types } = options;
    const ref: TargetRef = { tenantId: randomUUID(), category };
    const destination: WebhookDestination = { kind: 'webhook', url, lanes };
    const { secret, sealed } = await this.newSecret(ref);
    await this.deps.targets.register(ref, destination, Date.now(), types, [sealed]);
    await this.validate(ref);
    return { ref, destination, secret };
  }

  async newSecret(ref: TargetRef): Promise<{ secret: string; sealed: SealedSecret }> {
    await (this.#keys ??= createKmsKeys(this.cloud));
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const sealed = await new SecretBox(kmsClient(), localKeys.secrets).seal(secret, webhookContext(ref));
    return { secret, sealed: { sealed, createdAt: Date.now() } };
  }

  async #register(ref: TargetRef, destination: StreamDestination | BucketDestination, types?: string[]) {
    await this.deps.targets.register(ref, destination, Date.now(), types);
    await this.validate(ref);
  }

  /** As if trust in the target had been tested, and its delivery stream been made by the service. */
  async validate(ref: TargetRef): Promise<void> {
    const readiness = new TargetReadiness(this.dynamodb, 'tenants');
    const target = await this.target(ref);
    if (propertiesOf(target.destination).isBuffered) await readiness.provisioned(target, Date.now());
    await readiness.verified(target, Date.now());
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
            pk: { S: category === 'public' ? `${tenantId}#${key}` : `log#${tenantId}#${key}` },
            sk: { S: randomUUID() },
            sequence: { S: sequence },
            type: { S: type },
            event: { S: event },
          },
        },
      };
    });
  }

  /** Events as a service records them: accepted together, at this time. Nothing exports them by itself. */
  async record(
    { tenantId, category }: TargetRef,
    events: TestEvent[],
    acceptedAt: number,
  ): Promise<string[]> {
    const recorded = events.map(({ key, n, type = 'TestEvent', filler = '' }) => {
      const own = category === 'public' ? { aggregateId: key } : { agent: key };
      const metadata = { tenantId, category, key, n, type, eventId: randomUUID(), ...own };
      // As much of an event as its way through the export looks at.
      return { metadata, payload: { filler } } as unknown as Event;
    });
    const taken = await new EventStore(this.dynamodb, 'events', () => acceptedAt).append(tenantId, recorded);
    if (taken.length > 0) throw new Error('The events were not accepted');
    return recorded.map(({ metadata }) => metadata.eventId);
  }

  async startReplay(request: ReplayRequest): Promise<Pick<Replay, 'tenantId' | 'replayId'>> {
    return { tenantId: request.tenantId, replayId: await startReplay(this.replays, request) };
  }

  async progress(replay: Pick<Replay, 'tenantId' | 'replayId'>): Promise<ReplayProgress> {
    const progress = await this.replays.replays.find(replay);
    if (!progress) throw new Error('There is no such replay');
    return progress;
  }

  async receiveReplays(): Promise<SQSRecord[]> {
    const { Messages = [] } = await this.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: this.replaysUrl,
        MaxNumberOfMessages: 1,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    return Messages.map((message) => lambdaRecordOf(message, { arn: '', region: this.cloud.region }));
  }

  /** Messages of replays whose step is done, or whose time has come again. */
  async settleReplays(messages: SQSRecord[], isDone: boolean): Promise<void> {
    const QueueUrl = this.replaysUrl;
    for (const { receiptHandle: ReceiptHandle } of messages)
      await (isDone
        ? this.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
        : this.sqs.send(
            new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
          ));
  }

  /**
   * The next step of a replay. One that fails, or waits, comes again.
   *
   * @returns whether there was one, and it was done
   */
  async replayStep(pace: ReplayPace = quickPace, deps: ReplayDeps = this.replays): Promise<boolean> {
    const messages = await this.receiveReplays();
    const [message] = messages;
    const replay = message && readReplay(message.body);
    if (!replay) return false;
    const receives = Number(message.attributes.ApproximateReceiveCount);
    const isDone = await replayEvents(deps, { replay, receives }, pace).then(
      (seconds) => seconds === undefined,
      () => false,
    );
    await this.settleReplays(messages, isDone);
    return isDone;
  }

  /** Until the replay ended, and nothing waits for its target any more. */
  async finishReplay(
    replay: Pick<Replay, 'tenantId' | 'replayId'>,
    pace: ReplayPace = quickPace,
  ): Promise<ReplayProgress> {
    await until(async () => {
      for (;;) {
        const isDone = await this.replayStep(pace);
        const { done } = await this.redeliver();
        if ((await this.progress(replay)).state !== 'running') return true;
        if (!isDone && done === 0) return false;
      }
    });
    const progress = await this.progress(replay);
    await this.deliverParked(progress);
    return progress;
  }

  /** Until nothing waits for the target any more: on a busy machine it may count as slow, and its events are parked. */
  async deliverParked({ tenantId, category }: TargetRef): Promise<void> {
    await until(async () => {
      while (!isDrained(await this.target({ tenantId, category })))
        if ((await this.redeliver()).done === 0) return false;
      return true;
    });
  }

  /** In the time that a batch has: for targets that are not well. @returns checkpoints of what is to come again */
  async exportInTime(...batches: DynamoDBRecord[][]): Promise<string[]> {
    return await exportBatch(this.deployed, batches.flat());
  }

  /** @returns checkpoints of what is to come again */
  async export(...batches: DynamoDBRecord[][]): Promise<string[]> {
    return await exportBatch(this.deps, batches.flat(), patient);
  }

  /**
   * Takes the messages that can be had now, as Lambda does.
   *
   * @param most how many of them
   * @returns how many were delivered, and how many stay
   */
  async redeliver(most?: number, deps = this.deps): Promise<{ done: number; left: number }> {
    const messages = await this.receive(most);
    const left = await redeliverBatch(deps, messages);
    const done = messages.filter(({ messageId }) => !left.includes(messageId));
    await this.remove(done);
    return { done: done.length, left: left.length };
  }

  async receive(most = 10): Promise<SQSRecord[]> {
    const { Messages = [] } = await this.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: this.#queueUrl,
        MaxNumberOfMessages: most,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages.map((message) => lambdaRecordOf(message, { arn: '', region: this.cloud.region }));
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

  /** Tests of targets that were asked for since the last look. */
  async receiveTests(): Promise<VerificationRequest[]> {
    const QueueUrl = this.#verificationsUrl;
    const { Messages = [] } = await this.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    for (const { ReceiptHandle } of Messages)
      await this.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    return Messages.flatMap(({ Body = '' }) => readVerificationRequest(Body) ?? []);
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
  async read(stream: string): Promise<ExportedRecord[]> {
    const reader = await StreamReader.open(kinesisOf({ aws: this.cloud }), stream);
    try {
      return await reader.read();
    } finally {
      reader.close();
    }
  }

  async shardSizes(stream: string): Promise<number[]> {
    const shards = Map.groupBy(await this.read(stream), ({ shardId }) => shardId);
    return [...shards.values()].map(({ length }) => length);
  }

  /** What a delivery stream wrote, once it has written something. */
  async written(bucket: string): Promise<string> {
    const reader = new BucketReader({ aws: this.cloud }, bucket);
    let objects: ExportedObject[] = [];
    try {
      await until(async () => (objects = await reader.read()).length > 0);
    } finally {
      reader.close();
    }
    return objects.map(({ text }) => text).join('');
  }

  /** What a consumer gets, in its order, duplicates included. */
  async consumed(stream: string): Promise<Delivered[]> {
    return (await this.consumedEvents(stream)).map(({ key, n }) => ({ key, n }));
  }

  async consumedEvents(stream: string): Promise<DeliveredEvent[]> {
    return (await this.read(stream)).flatMap(({ data }) => {
      const { events } = JSON.parse(data) as { events: { metadata: DeliveredEvent }[] };
      return events.map(({ metadata: { key, n, eventId } }) => ({ key, n, eventId }));
    });
  }
}
