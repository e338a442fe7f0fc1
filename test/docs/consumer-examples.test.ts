/** The programs of docs/examples/consumer that have no counterpart without the package, on what exporter and Firehose wrote. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { ExportWorld } from '../support/export-world.ts';
import { faultsOf } from '../packages/consumer/ocsf/published-schema.ts';
import { LedgerService } from '../packages/consumer/support/ledger-service.ts';
import { checkpointTable, ConsumerProject } from './tenants/consumer-project.ts';
import {
  acceptedRecords,
  base64,
  bucketFor,
  streamOf,
  writtenObjects,
  type AnyEvent,
} from './tenants/exported.ts';
import { asPrinted, eventsOf, printed, publicEventAt, publicStory, type Told } from './tenants/story.ts';

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

const idsOf = (events: readonly AnyEvent[]): string[] => events.map(({ metadata }) => metadata.eventId);

describe('the example container', () => {
  test('continues where it was stopped', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1, shards: 1 });
    const told = publicStory(ref.tenantId, 'alice');
    const events = eventsOf(told);
    const table = await checkpointTable(world);
    const deliver = async (some: AnyEvent[]): Promise<void> => {
      await world.export(acceptedRecords(ref.tenantId, some));
      await world.deliverParked(ref);
    };

    await deliver(events.slice(0, 4));
    const first = project.start('container', [name, table]);
    expect(printed(await first.lines(4))).toEqual(told.slice(0, 4).map(asPrinted));
    await first.stop();
    await deliver(events.slice(4));
    const second = project.start('container', [name, table]);
    expect(printed(await second.lines(events.length - 4))).toEqual(told.slice(4).map(asPrinted));
    await second.stop();
  });
});

describe('the example Lambda that writes OCSF', () => {
  test('writes each batch once, in the form that a SIEM expects', async () => {
    const stories: Told[][] = [];
    const next = (tenantId: string): AnyEvent[] => {
      const told = publicStory(tenantId, 'alice');
      stories.push(told);
      return eventsOf(told);
    };
    const records = await world.read(await streamOf(world, [next, next]));
    const batch = {
      Records: records.map(({ data, sequenceNumber }) => ({
        kinesis: { data: base64(data), sequenceNumber, approximateArrivalTimestamp: 1_796_000_000.5 },
      })),
    };
    const bucket = `ocsf-${randomUUID()}`;
    const s3 = new S3Client({ forcePathStyle: true });
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    const { code, errors } = await project.invoke('ocsf-lambda', [batch, batch, { Records: [] }], {
      OCSF_BUCKET: bucket,
    });
    expect([code, errors]).toEqual([0, '']);

    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    const [{ Key } = {}, ...others] = Contents;
    expect(others).toEqual([]);
    expect(Key).toMatch(/^omi\/2026-11-30\/00\/\d+\.jsonl$/);
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    const lines = ((await Body?.transformToString()) ?? '').trimEnd().split('\n');
    const written = lines.map((line) => JSON.parse(line) as { metadata: { uid: string } });
    expect(written.map(({ metadata }) => metadata.uid)).toEqual(idsOf(eventsOf(stories.flat())));
    expect(written.flatMap(faultsOf)).toEqual([]);
  });
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

describe('the example webhook receiver', () => {
  test("accepts the exporter's calls, signed by either secret, and nothing else", async () => {
    const told: Told[] = [];
    const batch = (tenantId: string): AnyEvent[] => {
      told.push(...publicStory(tenantId, 'alice'));
      return eventsOf(told);
    };
    const records = await world.read(await streamOf(world, [batch]));
    const [secret, next, foreign] = ['old', 'new', 'foreign'].map(
      (name) => `whsec_${Buffer.from(`the ${name} secret`).toString('base64')}`,
    ) as [string, string, string];
    const PORT = await freePort();
    const receiver = project.start('webhook-receiver', [], { PORT, OMI_WEBHOOK_SECRET: `${secret} ${next}` });
    await receiver.lines(1);
    const post = async (body: string, by: string): Promise<Response> => {
      const now = new Date();
      const headers = {
        connection: 'close',
        'webhook-id': 'batch-1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(by).sign('batch-1', now, body),
      };
      return await fetch(`http://127.0.0.1:${PORT}/`, { method: 'POST', headers, body });
    };
    const challenge = await post('{"type":"omi.verification","challenge":"random"}', next);
    expect(await challenge.json()).toEqual({ challenge: 'random' });
    for (const { data } of records)
      for (const [by, status] of [
        [foreign, 400],
        [secret, 204],
        [next, 204],
      ] as const)
        expect((await post(data, by)).status).toBe(status);
    const output = (await receiver.lines(1 + told.length)).replace('listening\n', '');
    expect(printed(output)).toEqual(told.map(asPrinted));
    await receiver.stop();
  });
});

describe('the example that reconciles a bucket', () => {
  test('finds a removed object and requests its replay', async () => {
    const ref = { tenantId: randomUUID(), category: 'public' as const };
    const bucket = await bucketFor(world, ref);
    // Two hours ago: that hour has settled.
    const acceptedAt = Date.now() - 2 * 3_600_000;
    const occurredTime = new Date(acceptedAt).toISOString();
    const events = Array.from({ length: 5 }, (_, index) =>
      publicEventAt(ref.tenantId, `user-${index}`, occurredTime),
    );
    await world.export(acceptedRecords(ref.tenantId, events.slice(0, 4)));
    await writtenObjects(bucket, 1);

    const service = new LedgerService(
      events.map(({ metadata }) => ({
        eventId: metadata.eventId,
        type: 'UserSignedInEvent',
        acceptedAt,
      })),
    );
    const baseUrl = await service.start();
    try {
      const env = {
        OMI_BASE_URL: baseUrl,
        OMI_TOKEN_URL: `${baseUrl}/token`,
        OMI_CLIENT_ID: 'client',
        OMI_CLIENT_SECRET: 'secret',
      };
      const { code, output, errors } = await project.run('reconcile', [bucket, 'public', '24'], env);
      expect([errors, code]).toEqual(['', 1]);
      expect(JSON.parse(output)).toMatchObject({ complete: false, missing: idsOf(events.slice(4)) });
      expect(service.replays).toMatchObject([{ types: ['UserSignedInEvent'] }]);

      await world.export(acceptedRecords(ref.tenantId, events.slice(4)));
      await writtenObjects(bucket, 2);
      expect(await project.run('reconcile', [bucket, 'public', '24'], env)).toMatchObject({ code: 0 });
    } finally {
      await service.stop();
    }
  });
});
