import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ApiEvent } from '../../../core/http/api-event.ts';
import { publishedKeyView, type PublishedKey } from '../../../core/keys/published-key.ts';
import { createHandler } from '../../../lambdas/omi-keys/handler.ts';
import { receiptJwk } from '../../support/receipts.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const event = {} as ApiEvent;
const context = {} as Context;
const key: PublishedKey = {
  for: 'receipt',
  jwk: receiptJwk,
  from: 1_750_000_000_000,
  until: 1_760_000_000_000,
};

test('the keys are read once a minute for any number of callers', async () => {
  let reads = 0;
  const handler = createHandler({
    keys: { list: async () => await Promise.resolve(((reads += 1), [key])) },
  });
  const call = async () => await handler(event, context);
  const answer = { keys: [publishedKeyView(key)] };
  expect(JSON.parse((await call()).body ?? '')).toEqual(answer);
  jest.advanceTimersByTime(59_999);
  expect((await call()).headers).toMatchObject({ 'cache-control': 'max-age=300' });
  expect(reads).toBe(1);
  jest.advanceTimersByTime(1);
  expect(JSON.parse((await call()).body ?? '')).toEqual(answer);
  expect(reads).toBe(2);
});

test('a failed read is repeated by the next call', async () => {
  const answers = [
    async () => await Promise.reject(new Error('throttled')),
    async () => await Promise.resolve([]),
  ];
  const handler = createHandler({ keys: { list: async () => (await answers.shift()?.()) ?? [] } });
  await expect(handler(event, context)).rejects.toThrow('throttled');
  expect((await handler(event, context)).statusCode).toBe(200);
});
