import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { contentTypeOf } from '#ui/headers.ts';
import { pages } from '../../../pages/app/headers.ts';
import type { Outcome } from '../../../core/lambda/custom-resource.ts';
import { AppBucketClient, type AppObject } from '../../../lambdas/deploy-web-app/app-bucket-client.ts';
import { appFilesIn } from '../../../lambdas/deploy-web-app/app-files.ts';
import { createHandler } from '../../../lambdas/deploy-web-app/handler.ts';
import { buildWebApp } from '../../../lib/build-code.ts';
import { type Fauxqs, startFauxqs } from '../../../tools/local/aws/emulators/fauxqs/start.ts';
import { s3 } from '../../../tools/local/aws/protocols/s3.ts';
import { type Alone, clientOf, startAlone } from '../../tools/local/aws/clients.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-web-app-'));
const immutable = 'public, max-age=31536000, immutable';

let fauxqs: Fauxqs;
let alone: Alone;
let client: S3Client;
let bucket: string;
let written: string[];
let outcomes: Outcome[];

beforeAll(async () => {
  await buildWebApp(folder);
  fauxqs = await startFauxqs();
  alone = await startAlone(s3, fauxqs.s3);
  client = new S3Client({ ...clientOf(alone.url), forcePathStyle: true });
});

let buckets = 0;
beforeEach(async () => {
  bucket = `app-${++buckets}`;
  written = [];
  outcomes = [];
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
});

afterAll(async () => {
  client.destroy();
  await alone.close();
  await fauxqs.close();
  rmSync(folder, { recursive: true });
});

/** Notes in which order the objects are written. */
class NotingBucketClient extends AppBucketClient {
  override async put(object: AppObject): Promise<void> {
    await super.put(object);
    written.push(object.key);
  }
}

const handler = () =>
  createHandler({
    files: appFilesIn(pathToFileURL(`${folder}/`)),
    bucketOf: (name) => new NotingBucketClient(client, name),
    respond: async (_, outcome) => await Promise.resolve(void outcomes.push(outcome)),
  });

const config = {
  key: 'config.json',
  body: '{"baseUrl":"https://api.example.com"}',
  contentType: 'application/json',
  cacheControl: 'no-cache',
};

async function request(RequestType: 'Create' | 'Update' | 'Delete', properties: object = {}): Promise<void> {
  const ResourceProperties = { bucket, version: '1', documents: [config], emptyOnDelete: 'true' };
  await handler()({
    RequestType,
    ...(RequestType !== 'Create' && { PhysicalResourceId: 'web-app' }),
    ResourceProperties: { ...ResourceProperties, ...properties },
  } as unknown as CloudFormationCustomResourceEvent);
}

async function keys(): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
  return Contents.map(({ Key = '' }) => Key);
}

async function read(Key: string) {
  const { Body, ContentType, CacheControl } = await client.send(
    new GetObjectCommand({ Bucket: bucket, Key }),
  );
  return { body: await Body?.transformToString(), ContentType, CacheControl };
}

describe('a deployment', () => {
  test('writes every file of the build with the type and the caching of the local server', async () => {
    await request('Create');
    expect(outcomes).toEqual([{ status: 'SUCCESS', physicalResourceId: 'web-app' }]);
    const found = await keys();
    expect(found).toEqual(expect.arrayContaining(['index.html', 'manifest.webmanifest', 'config.json']));
    for (const key of found.filter((one) => one.startsWith('assets/')))
      expect(await read(key)).toMatchObject({ ContentType: contentTypeOf(key), CacheControl: immutable });
    expect(await read('index.html')).toMatchObject({
      ContentType: 'text/html; charset=utf-8',
      CacheControl: 'no-cache',
    });
    expect(found).not.toContain('files.json');
  });

  test('writes the page under every path of a page, such as the link of an enrolment', async () => {
    await request('Create');
    const index = await read('index.html');
    const copies = pages.filter((page) => page !== '/').map((page) => page.slice(1));
    expect(copies).toContain('enrol');
    for (const key of copies) expect(await read(key)).toEqual(index);
  });

  test("a document of the stage takes the place of the build's, such as the manifest of its brand", async () => {
    const manifest = { ...config, key: 'manifest.webmanifest', body: '{"name":"Example Confirm"}' };
    await request('Create', { documents: [config, manifest] });
    expect((await read('manifest.webmanifest')).body).toBe(manifest.body);
    expect(written.filter((key) => key === 'manifest.webmanifest')).toHaveLength(1);
  });

  test("writes the stack's own documents", async () => {
    await request('Create');
    expect(await read('config.json')).toEqual({
      body: config.body,
      ContentType: 'application/json',
      CacheControl: 'no-cache',
    });
  });

  test('writes pages after the assets that they load', async () => {
    await request('Update');
    const lastAsset = written.findLastIndex((key) => key.startsWith('assets/'));
    const firstOther = written.findIndex((key) => !key.startsWith('assets/'));
    expect(lastAsset).toBeGreaterThanOrEqual(0);
    expect(firstOther).toBeGreaterThan(lastAsset);
  });

  test('keeps the assets of earlier versions, which an open app still loads', async () => {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'assets/main-OLD.js', Body: 'old' }));
    await request('Update', { version: '2' });
    expect(await read('assets/main-OLD.js')).toMatchObject({ body: 'old' });
  });

  test.each(['Create', 'Update'] as const)(
    'fails if a file cannot be written, without the text of AWS: %s',
    async (type) => {
      await request(type, { bucket: 'missing' });
      expect(outcomes).toEqual([{ status: 'FAILED', physicalResourceId: 'web-app', reason: 'NoSuchBucket' }]);
    },
  );
});

describe('the deletion of the stack', () => {
  test('deletes the files, because CloudFormation only deletes an empty bucket', async () => {
    await request('Create');
    await request('Delete');
    expect(outcomes.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS']);
    expect(await keys()).toEqual([]);
  });

  test('keeps the files in a stage that keeps its data', async () => {
    await request('Create');
    await request('Delete', { emptyOnDelete: 'false' });
    expect(outcomes.at(-1)?.status).toBe('SUCCESS');
    expect(await keys()).toContain('index.html');
  });
});
