/** The readers of docs/examples, on what exporter and Firehose wrote. */
import { randomUUID } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ExportWorld } from '../support/export-world.ts';
import {
  acceptedRecords,
  base64,
  bucketFor,
  streamOf,
  writtenObjects,
  type AnyEvent,
} from './tenants/exported.ts';
import { checkpointTable, ConsumerProject } from './tenants/consumer-project.ts';
import { feedPython, hasBoto3, hasPython, runPython, runTypeScript } from './tenants/programs.ts';
import {
  asPrinted,
  eventsOf,
  logStory,
  printed,
  publicEventAt,
  publicStory,
  type Told,
} from './tenants/story.ts';

let world: ExportWorld;
let project: ConsumerProject;
beforeAll(async () => {
  world = await ExportWorld.start();
  project = await ConsumerProject.create();
});
afterAll(async () => {
  await project.remove();
  await world.close();
});

/** Starts the container with a table of its own, until it has printed so many lines. */
async function readWithContainer(stream: string, lines: number): Promise<string> {
  const container = project.start('container', [stream, await checkpointTable(world)]);
  const output = await container.lines(lines);
  await container.stop();
  return output;
}

/** Lanes are in order, so two of them may be two shards. */
async function shardsOf(stream: string): Promise<string[][]> {
  const records = await world.read(stream);
  const lanes = Map.groupBy(records, ({ partitionKey }) => partitionKey);
  return [...lanes.values()].map((lane) => lane.map(({ data }) => base64(data)));
}

async function objectsOf(bucket: string, lines: number): Promise<Record<string, string>> {
  const objects = await writtenObjects(bucket, lines);
  return Object.fromEntries(objects.map(({ key, text }) => [key, base64(text)]));
}

type Reader = {
  name: string;
  /** What it says where the machine has not what it takes. */
  missing?: string | false;
  readStream: (stream: string, lines: number) => Promise<string>;
  readBucket: (bucket: string, prefix: string) => Promise<string>;
};

const readers: Reader[] = [
  {
    name: 'TypeScript with @omi/consumer',
    readStream: readWithContainer,
    readBucket: async (bucket, prefix) => {
      const { code, output, errors } = await project.run('read-bucket', [bucket, prefix]);
      if (code !== 0) throw new Error(errors);
      return output;
    },
  },
  {
    name: 'TypeScript',
    readStream: async (stream) => await runTypeScript('read-stream', stream),
    readBucket: async (bucket, prefix) => await runTypeScript('read-bucket', bucket, prefix),
  },
  {
    name: 'Python',
    missing: !hasPython && 'python3, 3.9 or newer, is not on this machine',
    readStream: async (stream) => await feedPython({ shards: await shardsOf(stream) }),
    readBucket: async (bucket, prefix) => await feedPython({ objects: await objectsOf(bucket, 1), prefix }),
  },
  {
    name: 'Python with boto3',
    missing: !hasBoto3 && 'boto3 is not on this machine',
    readStream: async (stream) => await runPython('read_stream', stream),
    readBucket: async (bucket, prefix) => await runPython('read_bucket', bucket, prefix),
  },
];

/** By aggregate, since what is of different ones may come in any order. */
const byAggregate = (told: Told[], output: string) => {
  const aggregates = new Map(told.map(({ event: { metadata } }) => [metadata.eventId, metadata.aggregateId]));
  return Object.groupBy(printed(output), ({ id }) => aggregates.get(id) ?? 'never exported');
};

describe.each(readers)('the example reader $name', ({ missing, readStream, readBucket }) => {
  const its = missing ? test.skip : test;
  const because = missing ? ` (skipped: ${missing})` : '';

  its(
    `reads a stream: each event once, those of an aggregate in order, whatever is new${because}`,
    async () => {
      const aggregates = ['alice', 'bob', 'carol', 'dave'];
      const stories = new Map<string, Told[]>();
      const batch = (tenantId: string): AnyEvent[] => {
        if (stories.size === 0)
          for (const aggregate of aggregates) stories.set(aggregate, publicStory(tenantId, aggregate));
        return eventsOf([...stories.values()].flat());
      };
      // The table's stream may show a batch again: then the tenant's stream has it twice.
      const stream = await streamOf(world, [batch, batch]);
      const told = [...stories.values()].flat();
      const read = byAggregate(told, await readStream(stream, told.length));
      expect(read).toEqual(
        Object.fromEntries([...stories].map(([aggregate, told]) => [aggregate, told.map(asPrinted)])),
      );
    },
  );

  its(`reads a bucket by time, and nothing but the events of the prefix${because}`, async () => {
    const ref = { tenantId: randomUUID(), category: 'public' as const };
    const bucket = await bucketFor(world, ref);
    const times = [
      '2026-03-01T10:30+01',
      '2026-03-01T09:30:00,5Z',
      '2026-03-01T05:00:01.250-0430',
      '2026-03-01T09:30:60Z',
      '2026-03-01T09:31:00.123456Z',
    ];
    const events = times.map((time, index) => publicEventAt(ref.tenantId, `user-${index % 2}`, time));
    for (const batch of [events.slice(3), events.slice(0, 3), events.slice(3)])
      await world.export(acceptedRecords(ref.tenantId, batch));

    const [{ key } = { key: '' }] = await writtenObjects(bucket, 3);
    expect(key).toMatch(/^\d{4}\/\d\d\/\d\d\/\d\d\/public\/[^/]+$/);
    const s3 = new S3Client({ forcePathStyle: true });
    for (const Key of ['omi/owner', 'errors/processing-failed/2026/03/01/08/public/object'])
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'no event' }));

    const output = printed(await readBucket(bucket, key.slice(0, 'yyyy/'.length)));
    expect(output.map(({ id }) => id)).toEqual(events.map(({ metadata }) => metadata.eventId));
  });

  its(`reads the audit trail, with any payload or none${because}`, async () => {
    const ref = { tenantId: randomUUID(), category: 'log' as const };
    const bucket = await bucketFor(world, ref);
    const told = logStory(ref.tenantId);
    await world.export(acceptedRecords(ref.tenantId, eventsOf(told)));
    const [{ key } = { key: '' }] = await writtenObjects(bucket, 1);
    const output = printed(await readBucket(bucket, key.slice(0, key.lastIndexOf('/') + 1)));
    expect(output.map(({ payload = null, ...line }) => ({ ...line, payload }))).toEqual(
      told.map(asPrinted).map(({ payload = null, ...line }) => ({ ...line, payload })),
    );
  });
});
