import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { schedules } from '../../../../../lambdas/event-sources.ts';
import { poller } from '../../../../../tools/local/aws/endpoint/caller.ts';
import type { AwsResponse } from '../../../../../tools/local/aws/endpoint/http.ts';
import { Usage } from '../../../../../tools/local/aws/endpoint/usage.ts';
import { accessKeyIdOf } from '../../../../../tools/local/lambda/runtime-environment.ts';

const done: AwsResponse = { status: 200, headers: {}, body: '{}' };
const now = jest.spyOn(Date, 'now');
let usage: Usage;

beforeEach(() => {
  now.mockReturnValue(1_000_000);
  usage = new Usage();
});
afterEach(() => {
  now.mockReset();
});

const call = async (caller: string): Promise<AwsResponse> =>
  await usage.noting(() => done)({
    method: 'POST',
    url: '/',
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${caller}/20260101/eu-central-1/sqs/aws4_request`,
    },
    body: Buffer.from('{}'),
  });

/** Whether it was in use, or was used by this. */
async function isUsed(act: () => Promise<unknown> = async () => await Promise.resolve()): Promise<boolean> {
  const stopping = new AbortController();
  let isOver = false;
  const waiting = usage.next(stopping.signal).then(() => (isOver = true));
  await act();
  await new Promise(setImmediate);
  const isTold = isOver;
  stopping.abort();
  await waiting;
  return isTold;
}

test('a cloud that nobody has called is not in use', async () => {
  expect(await isUsed()).toBe(false);
});

test.each(['', 'OPERATOR', accessKeyIdOf('export-events')])(
  'a call of "%s" counts as use',
  async (caller) => {
    expect(await isUsed(async () => await call(caller))).toBe(true);
  },
);

test.each([poller, ...schedules.map(({ lambda }) => accessKeyIdOf(lambda))])(
  'an automatic call of %s does not count as use',
  async (caller) => {
    expect(await isUsed(async () => await call(caller))).toBe(false);
  },
);

test('a cloud is in use for a minute after a call', async () => {
  await call('OPERATOR');
  now.mockReturnValue(1_059_999);
  expect(await isUsed()).toBe(true);
  now.mockReturnValue(1_060_000);
  expect(await isUsed()).toBe(false);
});

test('the usage recorder forwards the answer of AWS', async () => {
  expect(await call('OPERATOR')).toBe(done);
});
