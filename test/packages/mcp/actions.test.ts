/** `@omi/mcp --actions`: what the user approves is carried out by the server, and the model never has the token. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { eventually } from '../../support/waiting.ts';
import { enrolDevice } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { settled, StdioHost, type ToolResult } from './support/mcp-host.ts';
import { environmentOf, goneFrom, newState, shownOn } from './support/phones.ts';

const stack = useSharedStack();
let phone: SimulatedDevice;
let state: string;
let host: StdioHost;

const start = async (actions = 'test/packages/mcp/support/actions.mjs'): Promise<StdioHost> =>
  await StdioHost.start({
    env: {
      ...environmentOf(stack),
      OMI_USER_ID: phone.identity.userId,
      RUNS_FILE: join(state, 'runs'),
    },
    args: ['--state', state, '--actions', actions],
  });

/** What the actions were given. */
async function runs(): Promise<{ args: unknown; token: string }[]> {
  const text = await readFile(join(state, 'runs'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { args: unknown; token: string });
}

beforeEach(async () => {
  phone = await enrolDevice(stack.website);
  state = await newState();
  host = await start();
});
afterEach(async () => await host.stop());

async function approve(name: string, to = 'Café Zoë'): Promise<ToolResult> {
  const asking = host.call(name, { to });
  await phone.confirm(await shownOn(phone));
  return await asking;
}

test('each action is a tool, in place of the general one', async () => {
  const { tools } = await host.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['pay', 'leak', 'fail', 'fail_and_leak', 'nothing', 'slow']);
});

test('the user reads what the action says, and the action gets the token for exactly this', async () => {
  const asking = host.call('pay', { to: 'Café Zoë' });
  const shown = await shownOn(phone);
  expect([shown.message, JSON.parse(shown.details ?? '')]).toEqual([
    'Pay Café Zoë?',
    [{ type: 'payment', to: 'Café Zoë' }],
  ]);
  expect(await runs()).toEqual([]);
  await phone.confirm(shown);
  const { isError, structured, text } = await asking;
  expect(isError).toBe(false);
  expect(structured).toMatchObject({
    status: 'done',
    approvedBy: phone.identity.userId,
    result: { paid: { to: 'Café Zoë' } },
  });
  const [run, ...others] = await runs();
  expect([run?.args, others]).toEqual([{ to: 'Café Zoë' }, []]);
  expect(decodeJwt(run?.token ?? '')).toMatchObject({
    sub: phone.identity.userId,
    authorization_details: [{ type: 'payment', to: 'Café Zoë' }],
  });
  expect([text, host.stderr].join()).not.toMatch(/eyJ/);
});

test('what was denied is not carried out', async () => {
  const asking = host.call('pay', { to: 'Café Zoë' });
  await phone.deny(await shownOn(phone));
  expect((await asking).structured).toMatchObject({ status: 'refused' });
  expect(await runs()).toEqual([]);
});

test('what the host cancelled is withdrawn, and not carried out', async () => {
  const cancelled = new AbortController();
  const failed = expect(host.call('pay', { to: 'Café Zoë' }, cancelled.signal)).rejects.toThrow();
  await shownOn(phone);
  cancelled.abort();
  await failed;
  await goneFrom(phone);
  expect(await runs()).toEqual([]);
});

test('arguments that the action refuses ask nobody', async () => {
  await expect(host.call('pay', { to: 'Mallory' })).rejects.toThrow('Mallory is not paid.');
  expect(await phone.challenges()).toMatchObject({ body: { challenges: [] } });
});

describe('the model', () => {
  test('learns of an action that fails, or whose result or error has the token, only that it failed, and of one without a result that it is done', async () => {
    for (const [name, explanation] of [
      ['leak', 'withheld'],
      ['fail', 'the account is closed'],
      ['fail_and_leak', 'carrying it out failed.'],
    ] as const) {
      const { isError, structured, text } = await approve(name);
      expect([name, isError, structured?.status]).toEqual([name, true, 'failed']);
      expect(structured?.['explanation']).toContain(explanation);
      expect(text).not.toMatch(/eyJ/);
    }
    expect((await approve('nothing')).structured).toMatchObject({ status: 'done', result: null });
  });
});

describe('a task', () => {
  test('is carried out after a restart between question and answer', async () => {
    const execution = await host.begin('pay', { to: 'Café Zoë' });
    const reference = execution.serializeReference();
    const shown = await shownOn(phone);
    await host.kill();
    host = await start();
    await phone.confirm(shown);
    expect((await settled(await host.tasks.resumeTask(reference))).structured).toMatchObject({
      status: 'done',
    });
    expect(await runs()).toHaveLength(1);
  });

  test('is not carried out twice after a crash in the middle, and says that nobody knows', async () => {
    const execution = await host.begin('slow', { to: 'Café Zoë' });
    const reference = execution.serializeReference();
    await phone.confirm(await shownOn(phone));
    await eventually('the action runs', async () => (await runs())[0]);
    await expect(host.tasks.task(execution.handle.taskId).cancel()).rejects.toThrow('cannot be cancelled');
    await host.kill();
    host = await start();
    const { outcome } = await (await host.tasks.resumeTask(reference)).settle();
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('Find out whether it was done') },
    });
    expect(await runs()).toHaveLength(1);
  });
});

test('the server does not start with a module that has no actions, or that is not there', async () => {
  for (const file of ['test/packages/mcp/support/phones.ts', 'test/missing.mjs'])
    await expect(start(file)).rejects.toThrow();
});
