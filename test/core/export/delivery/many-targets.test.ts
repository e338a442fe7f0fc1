import { byKind } from '../../../../core/export/kinds/records.ts';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { logger } from '../../../../core/kernel/observability.ts';
import { CatchUpAttempts } from '../../../../core/export/delivery/catch-up-attempts.ts';
import { UnansweredTargets } from '../../../../core/export/delivery/unanswered-targets.ts';
import { HandledEvents } from '../../../../core/export/delivery/handled-events.ts';
import { firstCallsAtOnce, targetsAtOnce } from '../../../../core/export/delivery/concurrency.ts';
import {
  DeliveryStreamWriter,
  firehoseClient,
} from '../../../../core/export/kinds/bucket/delivery-stream-writer.ts';
import { exportBatch } from '../../../../core/export/delivery/export-batch.ts';
import type { DeliveryDeps } from '../../../../core/export/delivery/delivery-deps.ts';
import type { PackedRecord } from '../../../../core/export/delivery/packing.ts';
import type { Writer } from '../../../../core/export/delivery/writer.ts';
import type { TenantRole } from '../../../../core/export/kinds/role/assumed-role-client.ts';
import { StreamWriter } from '../../../../core/export/kinds/stream/stream-writer.ts';
import { describeTarget, type TargetRef } from '../../../../core/events/target-ref.ts';
import type { BucketDestination } from '../../../../core/export/kinds/bucket/record.ts';
import type { StreamDestination } from '../../../../core/export/kinds/stream/record.ts';
import type { Target } from '../../../../core/export/targets/target.ts';
import { longestWaitMs } from '../../../support/waiting.ts';

/** Milliseconds. A call that is not made while the others wait fails by this, and not by the time of the test. */

const tenantOf = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;

const streamOf = (name: string): StreamDestination => ({
  kind: 'stream',
  streamArn: `arn:aws:kinesis:eu-central-1:111122223333:stream/${name}`,
  roleArn: 'arn:aws:iam::111122223333:role/omi-events',
  externalId: 'f3a9c1d27b6e4a58',
  lanes: 1,
});

const bucketOf = (name: string): BucketDestination => ({
  kind: 'bucket',
  bucket: 'events',
  deliveryStreamName: name,
  deliveryRoleArn: 'arn:aws:iam::111122223333:role/delivery',
});

const record: PackedRecord = { lane: '0/1', data: Buffer.from('{"events":[{}]}'), size: 1, first: 0 };

/** Resolves for everybody when so many have come. */
function meeting(size: number): () => Promise<void> {
  const all = Promise.withResolvers<undefined>();
  let come = 0;
  return async () => {
    come += 1;
    if (come === size) all.resolve(undefined);
    await all.promise;
  };
}

const unused = (): never => {
  throw new Error('Nothing is parked');
};

const targetAt = <Destination extends Target['destination']>(
  destination: Destination,
  ref: TargetRef = { tenantId: randomUUID(), category: 'public' },
) => ({
  ...ref,
  destination,
  state: 'active' as const,
  stateSince: 0,
  acceptedCount: 0,
  deliveredCount: 0,
  parkedCount: 0,
  parkedThrough: {},
  drainedThrough: {},
  waitingSince: {},
});

/** The exporter, with targets that take their events by `deliver`. */
function exporterTo(deliver: Writer['deliver']): DeliveryDeps {
  const targetOf = (ref: TargetRef): Target => targetAt(streamOf(ref.tenantId), ref);
  return {
    targets: {
      load: async (refs) =>
        await Promise.resolve({
          targets: new Map(refs.map((ref) => [describeTarget(ref), targetOf(ref)])),
          malformed: new Set<string>(),
        }),
      streamsOf: unused,
      transition: unused,
      queue: unused,
      drain: unused,
    },
    writers: { ...byKind(() => ({ deliver: unused })), stream: { deliver } },
    watermarks: { parked: unused, drained: unused, counted: async () => await Promise.resolve() },
    parking: { park: unused, hold: unused },
    deadLetters: { add: unused },
    checks: { ask: unused, hold: unused },
    attempts: { note: async () => await Promise.resolve() },
    givenUp: { refused: unused },
    catchUps: new CatchUpAttempts(),
    handled: new HandledEvents(),
    unanswered: new UnansweredTargets(),
    requestTest: unused,
  };
}

const eventOf = (tenantId: string) => ({
  eventName: 'INSERT' as const,
  dynamodb: {
    SequenceNumber: tenantId,
    ApproximateCreationDateTime: 0,
    NewImage: {
      pk: { S: `${tenantId}#a` },
      sk: { S: tenantId },
      sequence: { S: '0001' },
      type: { S: 'UserCreatedEvent' },
      event: { S: '{}' },
    },
  },
});

beforeEach(() => logger.setLogLevel('SILENT'));

test('the events of 200 tenants in a batch are delivered in parallel, after a first call to each', async () => {
  let [open, most] = [0, 0];
  const first = exporterTo(async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise(setImmediate);
    open -= 1;
    return { undelivered: [] };
  });
  const all = meeting(200);
  const deps = exporterTo(async () => {
    await all();
    return { undelivered: [] };
  });
  const records = Array.from({ length: 200 }, (_, index) => eventOf(tenantOf(index)));
  expect(await exportBatch(first, records)).toEqual([]);
  expect(most).toBe(firstCallsAtOnce);
  expect(await exportBatch(deps, records)).toEqual([]);
});

test('counts that take too long are given up and do not block the next batch', async () => {
  const deps = exporterTo(async () => await Promise.resolve({ undelivered: [] }));
  const answer = Promise.withResolvers<undefined>();
  let begun = 0;
  deps.watermarks.counted = async () => {
    begun += 1;
    await answer.promise;
  };
  const records = Array.from({ length: 60 }, (_, index) => eventOf(tenantOf(index)));
  expect(await exportBatch(deps, records)).toEqual([]);
  const before = begun;
  expect(before).toBeLessThan(records.length);
  answer.resolve(undefined);
  await new Promise(setImmediate);
  expect(begun).toBe(before);
});

type Request = { url: string; accessKey: string; name: string };

/** Answers like Kinesis and Firehose. */
class Aws {
  readonly #server: Server;
  readonly requests: Request[] = [];
  /** An answer waits for this. A code is that of an error. */
  answer: (request: Request) => Promise<string | undefined> = async () => await Promise.resolve(undefined);

  constructor() {
    this.#server = createServer((incoming, outgoing) => {
      void json(incoming).then(async (body) => {
        const { StreamARN = '', DeliveryStreamName = '' } = body as Record<string, string | undefined>;
        const accessKey = /Credential=([^/]+)/.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
        const request = { url: incoming.url ?? '', accessKey, name: StreamARN + DeliveryStreamName };
        this.requests.push(request);
        const code = await this.answer(request);
        outgoing.setHeader('Content-Type', 'application/x-amz-json-1.1');
        outgoing.statusCode = code === undefined ? 200 : 400;
        const taken = { Records: [{}], RequestResponses: [{}], FailedRecordCount: 0, FailedPutCount: 0 };
        outgoing.end(JSON.stringify(code === undefined ? taken : { __type: code, message: 'Not you.' }));
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    process.env['AWS_ENDPOINT_URL_KINESIS'] = url;
    process.env['AWS_ENDPOINT_URL_FIREHOSE'] = url;
    process.env['AWS_REGION'] = 'eu-central-1';
    process.env['AWS_ACCESS_KEY_ID'] = 'EXPORTER';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Sessions whose credentials tell how often they were forgotten. */
class Sessions {
  readonly #opened = new Map<string, number>();
  readonly #open = new Set<string>();

  has({ resourceArn }: TenantRole): boolean {
    return this.#open.has(resourceArn);
  }

  async of({ resourceArn }: TenantRole) {
    if (!this.#open.has(resourceArn)) this.#opened.set(resourceArn, (this.#opened.get(resourceArn) ?? 0) + 1);
    this.#open.add(resourceArn);
    const session = this.#opened.get(resourceArn) ?? 0;
    return await Promise.resolve({ accessKeyId: `SESSION${session}`, secretAccessKey: 'test' });
  }

  forget({ resourceArn }: TenantRole): void {
    this.#open.delete(resourceArn);
  }
}

describe('a writer', () => {
  let aws: Aws;
  beforeEach(async () => {
    aws = new Aws();
    await aws.start();
  });
  afterEach(async () => await aws.close());

  const names = Array.from({ length: targetsAtOnce }, (_, index) => `target-${index}`);

  test('has a connection for each stream that it serves at once', async () => {
    const all = meeting(names.length);
    aws.answer = async () => {
      await all();
      return undefined;
    };
    const writer = new StreamWriter(new Sessions());
    const deadline = Date.now() + longestWaitMs;
    const delivered = await Promise.all(
      names.map(async (name) => await writer.deliver(targetAt(streamOf(name)), [record], deadline)),
    );
    expect(delivered.flatMap(({ undelivered }) => undelivered)).toEqual([]);
  });

  test('has a connection for each delivery stream that it serves at once', async () => {
    const all = meeting(names.length);
    aws.answer = async () => {
      await all();
      return undefined;
    };
    const writer = new DeliveryStreamWriter(firehoseClient());
    const deadline = Date.now() + longestWaitMs;
    const delivered = await Promise.all(
      names.map(async (name) => await writer.deliver(targetAt(bucketOf(name)), [record], deadline)),
    );
    expect(delivered.flatMap(({ undelivered }) => undelivered)).toEqual([]);
  });

  test('retries with a new session when an old one is refused, however many targets came between', async () => {
    const writer = new StreamWriter(new Sessions());
    const send = async (name: string) =>
      await writer.deliver(targetAt(streamOf(name)), [record], Date.now() + longestWaitMs);
    await send('first');
    // More than the writer keeps clients for.
    for (let index = 0; index < 600; index += 1) await send(`other-${index}`);
    aws.requests.length = 0;
    aws.answer = async ({ accessKey }) =>
      await Promise.resolve(accessKey === 'SESSION1' ? 'AccessDeniedException' : undefined);
    expect(await send('first')).toEqual({ undelivered: [] });
    expect(aws.requests.map(({ accessKey }) => accessKey)).toEqual(['SESSION1', 'SESSION2']);
  });
});
