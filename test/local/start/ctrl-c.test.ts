import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { familyOf, isRunning, RunningStack, START_MS, startScript, until } from './running.ts';

let state: string;
let stack: RunningStack;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'omi-ctrl-c-'));
});
afterEach(async () => {
  stack.child.kill('SIGKILL');
  // What bundles the Lambdas may still write for a moment.
  await rm(state, { recursive: true, maxRetries: 10 });
});

test(
  'stops everything within 2 s, with exit code 0',
  async () => {
    const begun = performance.now();
    stack = new RunningStack(startScript, state, { OMI_WARM: undefined });
    const { pid } = await stack.ready();
    const family = familyOf(pid);
    const asked = performance.now();
    stack.child.kill('SIGINT');
    expect(await stack.exited).toEqual([0, null]);
    await until(() => !family.some(isRunning));
    // A machine that is too busy for that took very long to start it, too.
    expect(performance.now() - asked).toBeLessThan(Math.max(2_000, (asked - begun) / 3));
    expect((await readdir(state)).toSorted()).toEqual([
      'app',
      'exports-page',
      'lambda.log',
      'lambdas',
      'secrets.json',
      'site',
    ]);
  },
  START_MS,
);

test('while the stack is starting stops it at once', async () => {
  stack = new RunningStack(startScript, state, {});
  await until(() => stack.output.includes('Starting'));
  const family = familyOf(stack.child.pid ?? 0);
  stack.child.kill('SIGINT');
  expect(await stack.exited).toEqual([0, null]);
  await until(() => !family.some(isRunning));
  expect(await readdir(state)).not.toContain('stack.json');
});
