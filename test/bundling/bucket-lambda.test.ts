import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bundle } from '../../bundling/bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-bundles-'));

type Seen = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
const calls: Seen[] = [];

/** A bucket in another region than the one that it is first asked in. */
const s3 = createServer(({ method, url, headers }, response) => {
  calls.push({ method, url, headers });
  response.setHeader('x-amz-bucket-region', 'eu-west-3');
  if (method === 'HEAD' && !headers.authorization?.includes('/eu-west-3/')) response.statusCode = 301;
  if (url?.includes('refused')) {
    response.statusCode = 400;
    response.end('<Error><Code>KMS.DisabledException</Code><Message>It is disabled.</Message></Error>');
  } else response.end();
});

beforeAll(async () => {
  await bundle([{ in: 'test/bundling/bucket-lambda.ts', out: 'bucket/index' }], folder);
  await once(s3.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(async () => {
  s3.close();
  await once(s3, 'close');
  rmSync(folder, { recursive: true });
});

/** Runs the bundle as Lambda does: in a process of its own, with nothing but the environment. */
async function runBundle(bucket: string): Promise<unknown> {
  const program = `const { handler } = await import(${JSON.stringify(join(folder, 'bucket/index.mjs'))});
    console.log(JSON.stringify(await handler()));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(s3.address() as AddressInfo).port}`,
      BUCKET: bucket,
    },
  });
  return JSON.parse(stdout);
}

test.each(['events-of-example', 'events.example.com'])(
  'a lean bundle still reaches buckets, wherever they are (%s)',
  async (bucket) => {
    await expect(runBundle(bucket)).resolves.toEqual({
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
