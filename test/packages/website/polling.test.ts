/** When the package polls, by a clock of the tests. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Confirmation, OmiError } from '#website';
import { pauseAfter, pauseAfterFailure, pollUntilFinal } from '../../../packages/website/src/polling.ts';
import { confirmation, pending } from './support/evidence.ts';

const done = confirmation();

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

type Step = Confirmation | OmiError;

const unavailable = (retryAfter?: number): OmiError =>
  new OmiError('temporarily-unavailable', { status: 503, detail: '', retryAfter });

/** Polls with these answers, the last of them for ever. Returns when each poll was made, in seconds. */
async function poll(steps: Step[], options: { first?: Confirmation; told?: Confirmation[] } = {}) {
  const start = performance.now();
  const at: number[] = [];
  let next = 0;
  const answers = {
    poll: async (): Promise<Confirmation> => {
      at.push((performance.now() - start) / 1000);
      const step = steps[Math.min(next, steps.length - 1)] ?? done;
      next += 1;
      if (step instanceof Error) throw step;
      return await Promise.resolve(step);
    },
    first: options.first,
    onPending: async (told: Confirmation): Promise<void> => {
      options.told?.push(told);
      await Promise.resolve();
    },
  };
  const result = pollUntilFinal(answers).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(10 * 60_000);
  return { result: await result, at };
}

/** Jitter makes a pause longer by up to this share. */
const about = (seconds: number, share = 0.1) => ({
  asymmetricMatch: (value: unknown) =>
    typeof value === 'number' && value >= seconds - 0.001 && value <= seconds * (1 + share) + 0.001,
});

test('a poll follows after each interval', async () => {
  const slower = pending({ interval: 2 });
  const { result, at } = await poll([slower, done], { first: pending() });
  expect(result).toEqual(done);
  const [first = 0, second = 0] = at;
  expect([first, second - first]).toEqual([about(1), about(2)]);
});

test('the first poll follows at once if nothing is known, and "pending" is reported once', async () => {
  const told: Confirmation[] = [];
  const { at } = await poll([pending(), pending(), done], { told });
  expect(at[0]).toBe(0);
  expect(told).toEqual([pending()]);
});

test('a final confirmation is not polled, and not reported as pending', async () => {
  const told: Confirmation[] = [];
  const { result, at } = await poll([], { first: done, told });
  expect(result).toEqual(done);
  expect({ at, told }).toEqual({ at: [], told: [] });
});

describe('a fault of the service', () => {
  test('is bridged, with growing pauses', async () => {
    const { result, at } = await poll([unavailable(), unavailable(), unavailable(), done], {
      first: pending(),
    });
    expect(result).toEqual(done);
    const pauses = at.map((time, index) => time - (at[index - 1] ?? 0));
    expect(pauses).toEqual([about(1), about(0.5, 0.25), about(1, 0.25), about(2, 0.25)]);
  });

  test.each([429, 503])(
    'causes a pause as in Retry-After with the status %i, however long',
    async (status) => {
      const busy = new OmiError('too-many-requests', { status, detail: '', retryAfter: 45 });
      const { at } = await poll([busy, done], { first: pending() });
      const [first = 0, second = 0] = at;
      expect(second - first).toEqual(about(45, 0.25));
    },
  );

  test('is reported a minute after the expiry', async () => {
    // The user had 2 minutes.
    const { result, at } = await poll([unavailable()], { first: pending() });
    expect(result).toMatchObject({ code: 'temporarily-unavailable' });
    expect(at.at(-1)).toBeLessThanOrEqual(180);
    expect(at.at(-1)).toBeGreaterThan(165);
  });

  test('is reported at once if it is permanent', async () => {
    const forbidden = new OmiError('forbidden', { status: 403, detail: '' });
    const { result, at } = await poll([forbidden], { first: pending() });
    expect(result).toBe(forbidden);
    expect(at).toHaveLength(1);
  });
});

test('a confirmation that stays pending ends in an error', async () => {
  const { result, at } = await poll([pending()]);
  expect(result).toMatchObject({ code: 'timeout' });
  expect(at.at(-1)).toBeLessThanOrEqual(183);
});

test.each([
  ['no dates', { createdAt: 'x', expiresAt: 'y' }],
  [
    'an end before the beginning',
    { createdAt: '2026-05-01T12:00:00.000Z', expiresAt: '2020-01-01T00:00:00Z' },
  ],
])('polling ends after a minute with %s', async (_, dates) => {
  const { result, at } = await poll([pending(dates)]);
  expect(result).toMatchObject({ code: 'timeout' });
  expect(at.at(-1)).toBeLessThanOrEqual(62);
});

test('polling ends with an abort', async () => {
  const controller = new AbortController();
  const calls: number[] = [];
  const polling = pollUntilFinal({
    poll: async () => {
      calls.push(1);
      return await Promise.resolve(pending());
    },
    onPending: async () => await Promise.resolve(),
    signal: controller.signal,
  }).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(100);
  const reason = new Error('left');
  controller.abort(reason);
  expect(await polling).toBe(reason);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(1);
});

describe('pauses', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true });

  test('are at least the interval, and within reason for any value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), random, (interval, chance) => {
        const pause = pauseAfter(interval, chance);
        expect(pause).toBeGreaterThanOrEqual(Math.min(Math.max(interval, 0.5), 30) * 1000);
        expect(pause).toBeLessThanOrEqual(33_000);
      }),
    );
  });

  test('grow to 10 seconds after failures, and are at least Retry-After', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.option(fc.nat(3600), { nil: undefined }),
        random,
        (failures, retryAfter, chance) => {
          const pause = pauseAfterFailure(failures, retryAfter, chance);
          expect(pause).toBeGreaterThanOrEqual(Math.max(500, (retryAfter ?? 0) * 1000));
          expect(pause).toBeLessThanOrEqual(Math.max(10_000, (retryAfter ?? 0) * 1250));
        },
      ),
    );
  });

  test('are random, so that callers that failed together are spread', () => {
    expect(pauseAfter(1, 0)).not.toBe(pauseAfter(1, 1));
    expect(pauseAfterFailure(1, undefined, 0)).not.toBe(pauseAfterFailure(1, undefined, 1));
  });
});
