import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { type LocalCloud, startLocalCloud } from '../../../../tools/local/aws/cloud.ts';
import { type RunningEventSources, startEventSources } from '../../../../tools/local/event-sources/start.ts';
import type { Invocation } from '../../../../tools/local/lambda/function.ts';
import { seed } from '../../../../tools/local/seed/seed.ts';
import { localTables } from '../../../../tools/local/resources/tables.ts';
import { clientOf } from '../aws/clients.ts';

type Batch = { Records: (DynamoDBRecord | SQSRecord)[] };
type Failing = { stream: (record: DynamoDBRecord) => boolean; queue: (record: SQSRecord) => boolean };

const never = (): boolean => false;
const healthy: Failing = { stream: never, queue: never };
/** One Lambda of a stream and one of a queue; the tests do not use the others. */
const observed = ['schedule-expiry', 'expire-confirmation'];
const idle: Invocation = { payload: { batchItemFailures: [] } };
const broken: Invocation = { error: { errorType: 'Error', errorMessage: 'broken' } };

const isMessage = (record: DynamoDBRecord | SQSRecord): record is SQSRecord => 'receiptHandle' in record;
const idOf = (record: DynamoDBRecord | SQSRecord): string =>
  isMessage(record) ? record.messageId : (record.dynamodb?.SequenceNumber ?? '');

/** The event sources of the local stack on the local AWS, with functions that a test makes fail. */
export class LocalEventSources {
  readonly #folder: string;
  #parts: { cloud: LocalCloud; sources: RunningEventSources; queueUrl: string } | undefined;
  #received: Batch['Records'] = [];
  #handled: Batch['Records'] = [];
  #failing = healthy;
  #isBroken = false;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async start(folder: string): Promise<LocalEventSources> {
    const world = new LocalEventSources(folder);
    await world.#start();
    return world;
  }

  /** Restarts with the existing data. */
  async restart(): Promise<void> {
    await this.cloud.close();
    this.reset();
    await this.#start();
  }

  async #start(): Promise<void> {
    const cloud = await startLocalCloud({ dataDirectory: this.#folder, log: () => undefined });
    const { queues } = await seed(cloud);
    const sources = startEventSources({
      aws: cloud,
      queues,
      lambdas: {
        invoke: async (lambda, event) =>
          await Promise.resolve(observed.includes(lambda) ? this.#invoke(event as Batch) : idle),
      },
      dataDirectory: this.#folder,
      log: () => undefined,
    });
    this.#parts = { cloud, sources, queueUrl: queues.expiry };
  }

  get cloud(): LocalCloud {
    return this.#running.cloud;
  }

  /** Ends the event sources, but not yet the cloud under them. */
  async stop(): Promise<void> {
    await this.#running.sources.close();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.cloud.close();
  }

  reset(): void {
    this.#received = [];
    this.#handled = [];
    this.repair();
  }

  failStream(stream: Failing['stream']): void {
    this.#failing = { ...healthy, stream };
  }

  failQueue(queue: Failing['queue']): void {
    this.#failing = { ...healthy, queue };
  }

  breakFunctions(): void {
    this.#isBroken = true;
  }

  repair(): void {
    this.#failing = healthy;
    this.#isBroken = false;
  }

  async write(item: { sk: string } & Record<string, unknown>): Promise<void> {
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientOf(this.cloud.endpoints.dynamodb)));
    await client.send(new PutCommand({ TableName: localTables.events, Item: { pk: 'pk', ...item } }));
  }

  async send(body: string, options: Partial<SendMessageCommandInput> = {}): Promise<void> {
    const { queueUrl: QueueUrl } = this.#running;
    await this.#sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body, ...options }));
  }

  /** What time would do. */
  async show(message: SQSRecord | undefined): Promise<void> {
    const { queueUrl: QueueUrl } = this.#running;
    await this.#sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl,
        ReceiptHandle: message?.receiptHandle,
        VisibilityTimeout: 0,
      }),
    );
  }

  /** All that the functions were called with. */
  received(): Batch['Records'] {
    return this.#received;
  }

  /** So many records of the stream, as the function got them. */
  async streamed(count: number): Promise<DynamoDBRecord[]> {
    return await until(() => this.#received.filter((record) => !isMessage(record)), count);
  }

  /** So many messages, as the function got them. */
  async queued(count: number): Promise<SQSRecord[]> {
    return await until(() => this.#received.filter(isMessage), count);
  }

  /** So many records of the stream that did not fail. */
  async handled(count: number): Promise<DynamoDBRecord[]> {
    return await until(() => this.#handled.filter((record) => !isMessage(record)), count);
  }

  async queueIsEmpty(): Promise<void> {
    const { queueUrl: QueueUrl } = this.#running;
    for (;;) {
      const { Attributes = {} } = await this.#sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      const counts = Object.entries(Attributes).filter(([name]) => name.startsWith('ApproximateNumber'));
      if (counts.every(([, count]) => count === '0')) return;
      await wait(20);
    }
  }

  get #running() {
    if (!this.#parts) throw new Error('Nothing runs');
    return this.#parts;
  }

  get #sqs(): SQSClient {
    return new SQSClient(clientOf(this.cloud.endpoints.sqs));
  }

  #invoke({ Records }: Batch): Invocation {
    this.#received.push(...Records);
    if (this.#isBroken) return broken;
    const failed = Records.filter((record) =>
      isMessage(record) ? this.#failing.queue(record) : this.#failing.stream(record),
    );
    const lowest = Records.findIndex((record) => failed.includes(record) && !isMessage(record));
    this.#handled.push(...(lowest === -1 ? Records : Records.slice(0, lowest)));
    return { payload: { batchItemFailures: failed.map((record) => ({ itemIdentifier: idOf(record) })) } };
  }
}

async function until<Found>(look: () => Found[], count: number): Promise<Found[]> {
  while (look().length < count) await wait(10);
  return look();
}
