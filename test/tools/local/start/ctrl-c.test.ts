import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WebsiteClient } from '../../../../tools/client/website-client.ts';
import type { StackDescription } from '../../../../tools/local/stack/stack-file.ts';
import { disposable, expectPlain } from '../phone/started-phone.ts';
import { familyOf, isRunning, RunningStack, startScript } from './running.ts';
import { until } from '../../../support/waiting.ts';

const newState = async (): Promise<string> => await mkdtemp(join(tmpdir(), 'omi-ctrl-c-'));

async function remove(stack: RunningStack, state: string): Promise<void> {
  stack.child.kill('SIGKILL');
  // What bundles the Lambdas may still write for a moment.
  await rm(state, { recursive: true, maxRetries: 10 });
}

const websiteOf = ({ baseUrl, tokenUrl, tenants: [tenant] }: StackDescription) =>
  new WebsiteClient({ baseUrl, tokenUrl, clientId: '', clientSecret: '', ...tenant });

describe('Ctrl-C on a running stack', () => {
  let state: string;
  let stack: RunningStack;
  let started: Awaited<ReturnType<typeof disposable>>;
  let family: ReturnType<typeof familyOf>;

  beforeAll(async () => {
    state = await newState();
    stack = new RunningStack(startScript, state, { OMI_WARM: undefined });
    const description = await stack.ready();
    started = await disposable(websiteOf(description));
    family = familyOf(description.pid);
    stack.child.kill('SIGINT');
  });
  afterAll(async () => {
    await started[Symbol.asyncDispose]();
    await remove(stack, state);
  });

  test('stops everything, with exit code 0', async () => {
    expect(await stack.exited).toEqual([0, null]);
    await until(() => !family.some(isRunning));
    expect((await readdir(state)).toSorted()).toEqual([
      'app',
      'console',
      'exports-page',
      'lambda.log',
      'lambdas',
      'secrets.json',
      'site',
    ]);
  });

  test('ends a simulated phone, which says what happened', async () => {
    expect(await started.phone.exitCode()).toBe(1);
    expect(started.phone.output).toMatch(/does not answer.*it has ended: run "npm start"/s);
    expectPlain(started.phone.output);
  });
});

describe('Ctrl-C on a starting stack', () => {
  let state: string;
  let stack: RunningStack;

  beforeEach(async () => {
    state = await newState();
  });
  afterEach(async () => await remove(stack, state));

  test('stops it at once', async () => {
    stack = new RunningStack(startScript, state, {});
    await until(() => stack.output.includes('Starting'));
    const family = familyOf(stack.child.pid ?? 0);
    stack.child.kill('SIGINT');
    expect(await stack.exited).toEqual([0, null]);
    await until(() => !family.some(isRunning));
    expect(await readdir(state)).not.toContain('stack.json');
  });
});
