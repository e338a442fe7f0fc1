import { expect, test } from '@jest/globals';
import { withSharedLimits } from '../../../../../tools/local/aws/emulators/kinesis-local/patches/shared-limits.ts';
import type { AwsRequest, AwsResponse } from '../../../../../tools/local/aws/endpoint/http.ts';
import { jsonError } from '../../../../../tools/local/aws/protocols/errors.ts';
import { jsonResponse } from '../../../../../tools/local/aws/protocols/json.ts';

const request: AwsRequest = { method: 'POST', url: '/', headers: {}, body: Buffer.from('{}') };
const refused = (message: string): AwsResponse =>
  jsonError({ status: 400, code: 'LimitExceededException', message });

/** An emulator with these answers, one after the other. */
function answering(...answers: AwsResponse[]) {
  const calls: AwsRequest[] = [];
  const backend = (call: AwsRequest): AwsResponse => answers[calls.push(call) - 1] ?? jsonResponse(200, {});
  return { calls, backend: withSharedLimits(backend) };
}

test.each([
  'Limit for streams being created concurrently exceeded',
  'Rate limit exceeded for CreateStream',
  'Limit exceeded for ListShards',
])('a call is repeated after a shared limit: %s', async (message) => {
  const { calls, backend } = answering(refused(message), refused(message));
  expect(await backend(request)).toMatchObject({ status: 200 });
  expect(calls).toEqual([request, request, request]);
});

test.each([
  'Request would exceed the shard limit of 20000',
  'Limit for on-demand streams has been reached',
  'The shard count must be between 1 and 1000',
])('a limit that waiting does not change is reported at once: %s', async (message) => {
  const { calls, backend } = answering(refused(message));
  expect(await backend(request)).toMatchObject({ status: 400 });
  expect(calls).toHaveLength(1);
});
