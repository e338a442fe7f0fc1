import {
  CreateDeliveryStreamCommand,
  DeleteDeliveryStreamCommand,
  DescribeDeliveryStreamCommand,
  type ExtendedS3DestinationConfiguration,
  FirehoseClient,
  PutRecordBatchCommand,
  PutRecordCommand,
  UpdateDestinationCommand,
} from '@aws-sdk/client-firehose';
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Fauxqs, startFauxqs } from '../../../../../tools/local/aws/emulators/fauxqs/start.ts';
import { createFirehose, type Firehose } from '../../../../../tools/local/aws/stand-ins/firehose/backend.ts';
import { checkedPrefixes, evaluatePrefix } from '../../../../../tools/local/aws/stand-ins/firehose/prefix.ts';
import * as services from '../../../../../tools/local/aws/protocols/services.ts';
import { type Alone, clientOf, startAlone } from '../clients.ts';

let fauxqs: Fauxqs;
let s3: Alone;
let firehose: Firehose;
let endpoint: Alone;
let client: FirehoseClient;
let log: string[];
let bucket: string;
let buckets = 0;

const startFirehose = async (settleMs: number, folder?: string): Promise<void> => {
  const say = (line: string) => void log.push(line);
  firehose = createFirehose({
    ...{ s3Url: s3.url, log: say, settleMs, limit: 2, retryAfterMs: [1, 1] },
    ...(folder !== undefined && {
      stateFile: join(folder, 'streams.json'),
      journalFolder: join(folder, 'journal'),
    }),
  });
  endpoint = await startAlone(services.firehose, firehose.backend);
  client = new FirehoseClient(clientOf(endpoint.url));
};

beforeAll(async () => {
  fauxqs = await startFauxqs();
  s3 = await startAlone(services.s3, fauxqs.s3);
});
afterAll(async () => {
  await s3.close();
  await fauxqs.close();
});

beforeEach(async () => {
  log = [];
  await startFirehose(5);
  bucket = `bucket${(buckets += 1)}`;
  await fetch(`${s3.url}/${bucket}`, { method: 'PUT' });
});
afterEach(async () => {
  jest.useRealTimers();
  s3.faults.clear();
  await firehose.close();
  await endpoint.close();
});

const destination = (
  more: Partial<ExtendedS3DestinationConfiguration> = {},
): ExtendedS3DestinationConfiguration => ({
  BucketARN: `arn:aws:s3:::${bucket}`,
  RoleARN: 'arn:aws:iam::000000000000:role/omi-delivery',
  Prefix: '!{timestamp:yyyy/MM/dd/HH}/public/',
  ErrorOutputPrefix: 'errors/!{firehose:error-output-type}/!{timestamp:yyyy/MM/dd/HH}/',
  BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 0 },
  ...more,
});

const create = async (
  more: Partial<ExtendedS3DestinationConfiguration> = {},
  DeliveryStreamName = 'omi-public',
) =>
  await client.send(
    new CreateDeliveryStreamCommand({
      DeliveryStreamName,
      ExtendedS3DestinationConfiguration: destination(more),
    }),
  );

const describeStream = async (DeliveryStreamName = 'omi-public') =>
  (await client.send(new DescribeDeliveryStreamCommand({ DeliveryStreamName }))).DeliveryStreamDescription;

async function until<Value>(ask: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (isDone(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function createActive(more: Partial<ExtendedS3DestinationConfiguration> = {}): Promise<void> {
  await create(more);
  await until(describeStream, (stream) => stream?.DeliveryStreamStatus === 'ACTIVE');
}

const put = async (text: string | Buffer) =>
  await client.send(
    new PutRecordCommand({ DeliveryStreamName: 'omi-public', Record: { Data: Buffer.from(text) } }),
  );

const keys = async (): Promise<string[]> => {
  const list = await (await fetch(`${s3.url}/${bucket}?list-type=2`)).text();
  return [...list.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
};
const firstKey = async (): Promise<string> => (await until(keys, ({ length }) => length > 0))[0] ?? '';
const content = async (key: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${s3.url}/${bucket}/${key}`)).arrayBuffer());

describe('a delivery stream', () => {
  test('rejects records and its deletion while it is created', async () => {
    await endpoint.close();
    await startFirehose(60_000);
    await create();
    expect(await describeStream()).toMatchObject({ DeliveryStreamStatus: 'CREATING', VersionId: '1' });
    await expect(put('early')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(
      client.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName: 'omi-public' })),
    ).rejects.toMatchObject({
      name: 'ResourceInUseException',
    });
  });

  test('accepts records from its activation to its deletion', async () => {
    const { DeliveryStreamARN } = await create();
    expect(DeliveryStreamARN).toBe('arn:aws:firehose:eu-central-1:000000000000:deliverystream/omi-public');
    await until(describeStream, (stream) => stream?.DeliveryStreamStatus === 'ACTIVE');
    await put('in time');
    await client.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName: 'omi-public' }));
    await expect(until(describeStream, () => false)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('needs its current version to change the destination, and writes there what comes from then on', async () => {
    await createActive({ BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 300 } });
    await put('before');
    const update = async (CurrentDeliveryStreamVersionId: string) =>
      await client.send(
        new UpdateDestinationCommand({
          DeliveryStreamName: 'omi-public',
          CurrentDeliveryStreamVersionId,
          DestinationId: 'destinationId-000000000001',
          ExtendedS3DestinationUpdate: {
            Prefix: '!{timestamp:yyyy}/changed/',
            BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 0 },
          },
        }),
      );
    await update('1');
    await expect(update('1')).rejects.toMatchObject({ name: 'ConcurrentModificationException' });
    expect(await describeStream()).toMatchObject({
      VersionId: '2',
      Destinations: [
        {
          ExtendedS3DestinationDescription: {
            Prefix: '!{timestamp:yyyy}/changed/',
            BucketARN: `arn:aws:s3:::${bucket}`,
          },
        },
      ],
    });
    await put('after');
    const written = (await until(keys, ({ length }) => length === 2)).toSorted();
    expect(written).toEqual([
      expect.stringMatching(/^[\d/]{13}\/public\/omi-public-1-/),
      expect.stringMatching(/^\d{4}\/changed\/omi-public-2-/),
    ]);
    const contents = await Promise.all(written.map(async (key) => (await content(key)).toString()));
    expect(contents).toEqual(['before', 'after']);
  });

  describe('a delivery stream with an unusable role or key', () => {
    const role = destination().RoleARN ?? '';
    const key = 'arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c';
    const encrypted = { EncryptionConfiguration: { KMSEncryptionConfig: { AWSKMSKeyARN: key } } };
    const failed = async () =>
      await until(describeStream, (stream) => stream?.DeliveryStreamStatus !== 'CREATING');

    test('is rejected if the role does not exist', async () => {
      firehose.failingArns.add(role);
      const refusal = {
        name: 'InvalidArgumentException',
        message: `Firehose is unable to assume role ${role}. Please check the role provided.`,
      };
      await expect(create()).rejects.toMatchObject(refusal);
      firehose.failingArns.clear();
      await createActive();
      firehose.failingArns.add(role);
      const update = new UpdateDestinationCommand({
        DeliveryStreamName: 'omi-public',
        CurrentDeliveryStreamVersionId: '1',
        DestinationId: 'destinationId-000000000001',
        ExtendedS3DestinationUpdate: {},
      });
      await expect(client.send(update)).rejects.toMatchObject(refusal);
    });

    test.each<[string, string, Partial<ExtendedS3DestinationConfiguration>, string]>([
      ['role', role, {}, 'UNKNOWN_ERROR'],
      ['key', key, encrypted, 'DISABLED_KMS_KEY'],
    ])('fails to be created, and can only be deleted (%s)', async (_name, arn, more, Type) => {
      await endpoint.close();
      // Long enough for a busy machine to break the part before the stream is active.
      await startFirehose(1_000);
      await create(more);
      firehose.failingArns.add(arn);
      expect(await failed()).toMatchObject({
        DeliveryStreamStatus: 'CREATING_FAILED',
        FailureDescription: { Type },
      });
      firehose.failingArns.clear();
      await expect(create(more)).rejects.toMatchObject({ name: 'ResourceInUseException' });
      await expect(put('x')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
      await client.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName: 'omi-public' }));
      await expect(until(describeStream, () => false)).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
    });
  });

  test.each<[string, Partial<ExtendedS3DestinationConfiguration>]>([
    ['no error prefix beside expressions', { ErrorOutputPrefix: undefined }],
    ['an error prefix without the error type', { ErrorOutputPrefix: 'errors/!{timestamp:yyyy}/' }],
    ['the year of the week', { Prefix: '!{timestamp:YYYY}/' }],
    ['an unknown expression', { Prefix: '!{firehose:colour}/' }],
    ['no bucket', { BucketARN: 'arn:aws:s3:::' }],
    ['no role', { RoleARN: 'role' }],
    ['a buffer of 0 MB', { BufferingHints: { SizeInMBs: 0 } }],
    ['a buffer of 901 s', { BufferingHints: { IntervalInSeconds: 901 } }],
  ])('is rejected with %s', async (_name, more) => {
    await expect(create(more)).rejects.toMatchObject({ name: 'InvalidArgumentException' });
  });
});

describe('records', () => {
  test("are in one object in order, with Firehose's name", async () => {
    await createActive();
    const Records = ['a', 'b', 'c'].map((text) => ({ Data: Buffer.from(text) }));
    const answer = await client.send(
      new PutRecordBatchCommand({ DeliveryStreamName: 'omi-public', Records }),
    );
    expect(answer).toMatchObject({
      FailedPutCount: 0,
      RequestResponses: Records.map(() => ({ RecordId: expect.any(String) })),
    });
    const key = await firstKey();
    const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
    expect(key).toMatch(
      new RegExp(`^\\d{4}/\\d\\d/\\d\\d/\\d\\d/public/omi-public-1-\\d{4}(-\\d\\d){5}-${uuid}$`),
    );
    expect((await content(key)).toString()).toBe('abc');
  });

  test('have delimiters and are compressed, if the stream is configured so', async () => {
    const Parameters = [{ ParameterName: 'Delimiter' as const, ParameterValue: '\\n' }];
    const Processors = [{ Type: 'AppendDelimiterToRecord' as const, Parameters }];
    await createActive({ ProcessingConfiguration: { Enabled: true, Processors }, CompressionFormat: 'GZIP' });
    await client.send(
      new PutRecordBatchCommand({
        DeliveryStreamName: 'omi-public',
        Records: ['a', 'b'].map((text) => ({ Data: Buffer.from(text) })),
      }),
    );
    const key = await firstKey();
    expect(key).toMatch(/\.gz$/);
    const object = await fetch(`${s3.url}/${bucket}/${key}`);
    expect(object.headers.get('content-encoding')).toBe('gzip');
    expect(await object.text()).toBe('a\nb\n');
  });

  test('are written without waiting when they fill the buffer', async () => {
    await createActive({ BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 300 } });
    await put(Buffer.alloc(700_000));
    await put(Buffer.alloc(700_000));
    expect(await content(await firstKey())).toHaveLength(1_400_000);
  });

  test.each([
    ['501 records', Array.from({ length: 501 }, () => 1)],
    ['more than 4 MB', Array.from({ length: 5 }, () => 900_000)],
    ['a record of more than 1,000 KB', [1_024_001]],
  ])('are rejected: %s', async (_name, sizes) => {
    await createActive();
    const Records = sizes.map((size) => ({ Data: Buffer.alloc(size) }));
    const call = client.send(new PutRecordBatchCommand({ DeliveryStreamName: 'omi-public', Records }));
    await expect(call).rejects.toMatchObject({ name: 'InvalidArgumentException' });
  });
});

describe('records that are not in S3 when the stack stops', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'omi-firehose-'));
    await firehose.close();
    await endpoint.close();
    await startFirehose(5, folder);
    await createActive({ BufferingHints: { SizeInMBs: 1, IntervalInSeconds: 300 } });
  });
  afterEach(async () => await rm(folder, { recursive: true }));

  const startAgain = async (): Promise<void> => {
    await endpoint.close();
    await startFirehose(5, folder);
  };

  test('are written by the next stack after a kill', async () => {
    await put('a');
    await put('b');
    // Its buffer is not written, because its time has not come and it is not closed.
    const killed = firehose;
    await startAgain();
    expect((await content(await firstKey())).toString()).toBe('ab');
    await until(
      async () => await readdir(join(folder, 'journal')),
      ({ length }) => length === 0,
    );
    await killed.close();
  });

  test('are written by the next stack if S3 is unavailable', async () => {
    const { id } = s3.faults.add({
      service: 's3',
      resource: bucket,
      operation: 'PutObject',
      fault: 'unavailable',
    });
    await put('a');
    await firehose.close();
    expect(log).toEqual([]);
    s3.faults.remove(id);
    await startAgain();
    expect((await content(await firstKey())).toString()).toBe('a');
  });

  test('include only confirmed records', async () => {
    await put('a');
    const [page = ''] = await readdir(join(folder, 'journal'));
    await appendFile(join(folder, 'journal', page), 'torn');
    await writeFile(join(folder, 'journal', 'torn'), '{"source":');
    const killed = firehose;
    await startAgain();
    expect((await content(await firstKey())).toString()).toBe('a');
    await killed.close();
  });
});

describe('a write to S3', () => {
  test('is retried if it fails', async () => {
    await createActive();
    s3.faults.add({ service: 's3', resource: bucket, operation: 'PutObject', fault: 'throttle', times: 2 });
    await put('x');
    expect(await firstKey()).toMatch(/\/public\//);
  });

  test('goes to the error prefix if it keeps failing', async () => {
    await createActive();
    s3.faults.add({ service: 's3', resource: bucket, operation: 'PutObject', fault: 'throttle', times: 3 });
    await put('x');
    expect(await firstKey()).toMatch(/^errors\/processing-failed\/\d{4}\/\d\d\/\d\d\/\d\d\/omi-public-1-/);
  });
});

describe('a prefix', () => {
  const time = new Date('2026-01-02T03:04:05.678Z');

  test.each([
    ['!{timestamp:yyyy/MM/dd/HH}/public/', '2026/01/02/03/public/'],
    ["dt=!{timestamp:yyyy'-'MM-dd}/", 'dt=2026-01-02/'],
    ['!{timestamp:HH-mm-ss}/', '03-04-05/'],
    ['plain/', 'plain/2026/01/02/03/'],
    ['', '2026/01/02/03/'],
  ])('%p is evaluated in UTC: %p', (prefix, evaluated) => {
    const { prefix: template } = checkedPrefixes(prefix, 'errors/!{firehose:error-output-type}/');
    expect(evaluatePrefix(template, time, '')).toBe(evaluated);
  });
});
