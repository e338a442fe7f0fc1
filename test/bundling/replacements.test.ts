import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bundle } from '../../bundling/bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-bundles-'));

/** What the sample asked of AWS, which fails the very first call. */
const calls: { target: string; headers: IncomingHttpHeaders; port: number | undefined }[] = [];
const aws = createServer((request, response) => {
  const target = String(request.headers['x-amz-target'] ?? 'SNS');
  calls.push({ target, headers: request.headers, port: request.socket.remotePort });
  if (calls.length === 1) response.statusCode = 500;
  request.resume().on('end', () => response.end(answers(target)));
});

const answers = (target: string): string =>
  target === 'SNS'
    ? '<PublishResponse><PublishResult><MessageId>m-1</MessageId></PublishResult></PublishResponse>'
    : JSON.stringify({ Item: { pk: { S: 'found' } } });

beforeAll(async () => {
  await bundle([{ in: 'test/bundling/sample-lambda.ts', out: 'sample/index' }], folder);
  await once(aws.listen(0, '127.0.0.1'), 'listening');
});

beforeEach(() => {
  calls.length = 0;
});

afterAll(async () => {
  aws.close();
  await once(aws, 'close');
  rmSync(folder, { recursive: true });
});

/** Runs the bundle as Lambda does: in a process of its own, with nothing but the environment. */
async function runBundle(credentials: NodeJS.ProcessEnv): Promise<unknown> {
  const url = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;
  const program = `const { handler } = await import(${JSON.stringify(join(folder, 'sample/index.mjs'))});
    console.log(JSON.stringify(await handler()));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_DYNAMODB: url,
      AWS_ENDPOINT_URL_SNS: url,
      ...credentials,
    },
  });
  return JSON.parse(stdout);
}

describe('a lean bundle still', () => {
  const credentials = {
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
  };

  test('calls AWS where AWS_ENDPOINT_URL_<SERVICE> says, and understands the answers', async () => {
    await expect(runBundle(credentials)).resolves.toEqual({
      items: [{ pk: 'found' }, { pk: 'found' }],
      messageId: 'm-1',
    });
  });

  test("signs for AWS_REGION with the role's keys from the environment", async () => {
    await runBundle(credentials);
    for (const { headers } of calls) {
      expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\//);
      expect(headers['x-amz-security-token']).toBe('session');
    }
  });

  test('repeats a call that failed, and keeps its connection', async () => {
    await runBundle(credentials);
    const reads = calls.filter(({ target }) => target.endsWith('GetItem'));
    expect(reads).toHaveLength(3);
    expect(new Set(reads.map(({ port }) => port)).size).toBe(1);
  });

  test('says which credentials are missing', async () => {
    await expect(runBundle({})).rejects.toThrow(
      /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be in the environment/,
    );
  });
});

describe('a built-in module in a bundle', () => {
  const source = `
    import fs, { ReadStream, readFileSync } from 'node:fs';
    import { Readable } from 'node:stream';
    const stream = fs.createReadStream(import.meta.filename);
    export const handler = async () => ({
      isStream: stream instanceof ReadStream,
      isNone: new Readable() instanceof ReadStream,
      isSubclass: ReadStream.prototype instanceof Readable,
      made: new ReadStream(import.meta.filename).destroy() instanceof fs.ReadStream,
      text: typeof readFileSync(import.meta.filename, 'utf8'),
    });`;

  test('is the same, though some of its classes are loaded when they are used', async () => {
    await writeFile(join(folder, 'builtins.js'), source);
    await bundle([{ in: join(folder, 'builtins.js'), out: 'sample/index' }], folder);
    await expect(runBundle({})).resolves.toEqual({
      isStream: true,
      isNone: false,
      isSubclass: true,
      made: true,
      text: 'string',
    });
  });
});
