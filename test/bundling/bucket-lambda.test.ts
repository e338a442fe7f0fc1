import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bundle } from '../../bundling/bundle.ts';
import { credentials, runHandler, startAws } from './run-handler.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-bundles-'));

const calls: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
let s3: Awaited<ReturnType<typeof startAws>>;

beforeAll(async () => {
  await bundle([{ in: 'test/bundling/bucket-lambda.ts', out: 'bucket/index' }], folder);
  // The bucket is in another region than the one in which the Lambda asks first.
  s3 = await startAws(({ method, url, headers }, response) => {
    calls.push({ method, url, headers });
    response.setHeader('x-amz-bucket-region', 'eu-west-3');
    if (method === 'HEAD' && !headers.authorization?.includes('/eu-west-3/')) response.statusCode = 301;
    if (url?.includes('refused')) {
      response.statusCode = 400;
      response.end('<Error><Code>KMS.DisabledException</Code><Message>It is disabled.</Message></Error>');
    } else response.end();
  });
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true });
});

test.each(['events-of-example', 'events.example.com'])(
  'a bundle reaches the bucket %s in another region',
  async (bucket) => {
    const file = join(folder, 'bucket/index.mjs');
    const environment = { AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL_S3: s3.url, BUCKET: bucket };
    await expect(runHandler(file, { ...credentials, ...environment })).resolves.toEqual({
      BucketRegion: 'eu-west-3',
      refused: ['KMS.DisabledException', 'It is disabled.'],
    });
    expect(calls.map(({ method, url }) => `${method ?? ''} ${url?.split('?')[0] ?? ''}`)).toEqual([
      `HEAD /${bucket}/`,
      `HEAD /${bucket}/`,
      `PUT /${bucket}/omi/x.txt`,
      `PUT /${bucket}/refused`,
    ]);
  },
);
