import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bundle } from '../../bundling/bundle.ts';
import { credentials, runHandler, startAws } from './run-handler.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-bundles-'));

/** The sample's calls; the first one fails. */
const calls: { target: string; headers: IncomingHttpHeaders; port: number | undefined }[] = [];

const answers = (target: string): string =>
  target === 'SNS'
    ? '<PublishResponse><PublishResult><MessageId>m-1</MessageId></PublishResult></PublishResponse>'
    : JSON.stringify({ Item: { pk: { S: 'found' } } });

let aws: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  await bundle([{ in: 'test/bundling/sample-lambda.ts', out: 'sample/index' }], folder);
  aws = await startAws((request, response) => {
    const target = String(request.headers['x-amz-target'] ?? 'SNS');
    calls.push({ target, headers: request.headers, port: request.socket.remotePort });
    if (calls.length === 1) response.statusCode = 500;
    request.resume().on('end', () => response.end(answers(target)));
  });
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(async () => {
  await aws.stop();
  rmSync(folder, { recursive: true });
});

const runSample = async (keys: NodeJS.ProcessEnv): Promise<unknown> =>
  await runHandler(join(folder, 'sample/index.mjs'), {
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_DYNAMODB: aws.url,
    AWS_ENDPOINT_URL_SNS: aws.url,
    ...keys,
  });

describe('a bundle with stubs', () => {
  const session = { ...credentials, AWS_SESSION_TOKEN: 'session' };

  test('calls AWS at AWS_ENDPOINT_URL_<SERVICE> and reads the answers', async () => {
    await expect(runSample(session)).resolves.toEqual({
      items: [{ pk: 'found' }, { pk: 'found' }],
      messageId: 'm-1',
    });
  });

  test("signs for AWS_REGION with the role's keys from the environment", async () => {
    await runSample(session);
    for (const { headers } of calls) {
      expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\//);
      expect(headers['x-amz-security-token']).toBe('session');
    }
  });

  test("names the SDK's version in the user agent", async () => {
    await runSample(session);
    for (const { headers } of calls) expect(headers['user-agent']).toMatch(/^aws-sdk-js\/3\.\d+\.\d+ /);
  });

  test('repeats a call that failed, on the same connection', async () => {
    await runSample(session);
    const reads = calls.filter(({ target }) => target.endsWith('GetItem'));
    expect(reads).toHaveLength(3);
    expect(new Set(reads.map(({ port }) => port)).size).toBe(1);
  });

  test('says which credentials are missing', async () => {
    await expect(runSample({})).rejects.toThrow(
      /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be in the environment/,
    );
  });
});

test('a bundle loads some classes of built-in modules late, and they behave as without bundling', async () => {
  const source = `
    import fs, { ReadStream, readFileSync } from 'node:fs';
    import { Readable } from 'node:stream';
    const stream = fs.createReadStream(import.meta.filename);
    export const handler = async () => ({
      isStream: stream instanceof ReadStream,
      isOtherStream: new Readable() instanceof ReadStream,
      isSubclass: ReadStream.prototype instanceof Readable,
      made: new ReadStream(import.meta.filename).destroy() instanceof fs.ReadStream,
      text: typeof readFileSync(import.meta.filename, 'utf8'),
    });`;
  await writeFile(join(folder, 'builtins.js'), source);
  await bundle([{ in: join(folder, 'builtins.js'), out: 'builtins/index' }], folder);
  await expect(runHandler(join(folder, 'builtins/index.mjs'), {})).resolves.toEqual({
    isStream: true,
    isOtherStream: false,
    isSubclass: true,
    made: true,
    text: 'string',
  });
});
