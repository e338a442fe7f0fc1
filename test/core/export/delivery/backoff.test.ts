import { expect, test } from '@jest/globals';
import { redeliveryWait } from '../../../../core/export/delivery/redeliver-lane.ts';

const cloud = { shortestSeconds: 1, longestSeconds: 3600 };

test('parked events are retried after 1 s, then at growing intervals up to an hour', () => {
  const waits = Array.from({ length: 14 }, (_, index) => redeliveryWait(index + 1, cloud, 1));
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]);
});

test('targets that fail together are retried at different times', () => {
  expect(redeliveryWait(5, cloud, 0)).toBe(8);
  expect(redeliveryWait(5, cloud, 1)).toBe(16);
});

test('a thousand attempts cover the 14 days for which SQS keeps a message', () => {
  let seconds = 0;
  for (let attempt = 1; attempt <= 1000; attempt += 1) seconds += redeliveryWait(attempt, cloud, 0);
  expect(seconds).toBeGreaterThan(14 * 24 * 3600);
});
