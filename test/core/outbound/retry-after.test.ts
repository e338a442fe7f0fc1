import { expect, test } from '@jest/globals';
import { pauseOf } from '../../../core/outbound/retry-after.ts';

const now = Date.UTC(2026, 0, 1, 12);

test.each([
  ['0', 0],
  ['120', 120_000],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Thu, 01 Jan 2026 12:00:00 GMT', 0],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['soon', 0],
  ['', 0],
  [undefined, 0],
  ['-1', 0],
  ['0x10', 0],
  ['1e3', 0],
])('Retry-After: %s demands %d ms', (retryAfter, milliseconds) => {
  expect(pauseOf(retryAfter, now)).toBe(milliseconds);
});
