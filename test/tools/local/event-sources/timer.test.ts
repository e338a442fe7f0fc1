import { expect, test } from '@jest/globals';
import { Timer } from '../../../../tools/local/event-sources/timer.ts';
import type { Invocation } from '../../../../tools/local/lambda/function.ts';

const failed: Invocation = { error: { errorType: 'Error', errorMessage: 'no' } };
const done: Invocation = { payload: null };

const inUse = async (): Promise<void> => await Promise.resolve();

/** Runs a timer until the Lambda was called so often. */
async function callsOf(calls: number, answers: Invocation[]): Promise<number> {
  const ending = new AbortController();
  let called = 0;
  const invoke = async (): Promise<Invocation> => {
    called += 1;
    if (called >= calls) ending.abort();
    return await Promise.resolve(answers[called - 1] ?? done);
  };
  await new Timer({ everyMs: 1, untilUsed: inUse, invoke, signal: ending.signal }).run();
  return called;
}

test('a timer calls repeatedly', async () => {
  expect(await callsOf(3, [])).toBe(3);
});

test('a timer retries a failed call twice', async () => {
  expect(await callsOf(1, [failed, failed, failed])).toBe(3);
  expect(await callsOf(1, [failed, done])).toBe(2);
});

test('a timer calls nothing before the first interval or after the end', async () => {
  const ending = new AbortController();
  let called = 0;
  const invoke = async (): Promise<Invocation> => {
    called += 1;
    return await Promise.resolve(done);
  };
  const running = new Timer({ everyMs: 60_000, untilUsed: inUse, invoke, signal: ending.signal }).run();
  ending.abort();
  await running;
  expect(called).toBe(0);
});

test('a timer calls an unused stack when it is used again', async () => {
  const ending = new AbortController();
  const used = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<undefined>();
  const untilUsed = async (): Promise<void> => {
    asked.resolve(undefined);
    await used.promise;
  };
  let called = 0;
  const invoke = async (): Promise<Invocation> => {
    called += 1;
    ending.abort();
    return await Promise.resolve(done);
  };
  const running = new Timer({ everyMs: 1, untilUsed, invoke, signal: ending.signal }).run();
  await asked.promise;
  expect(called).toBe(0);
  used.resolve(undefined);
  await running;
  expect(called).toBe(1);
});
