/** `@omi/mcp` over stdio, as hosts start it: with a simulated phone, and a client that knows tasks. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { taskId as asTaskId } from '@modelcontextprotocol/ext-tasks/core';
import { readContext } from '#device';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { enrolDevice, push } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { until } from '../../support/waiting.ts';
import { settled, StdioHost } from './support/mcp-host.ts';
import { environmentOf, goneFrom, newState, shownOn } from './support/phones.ts';

const stack = useSharedStack();
let phone: SimulatedDevice;
let state: string;
let host: StdioHost;

const start = async (...args: string[]): Promise<StdioHost> =>
  await StdioHost.start({
    env: { ...environmentOf(stack), OMI_USER_ID: phone.identity.userId },
    args: ['--state', state, ...args],
  });

beforeEach(async () => {
  phone = await enrolDevice(stack.website);
  state = await newState();
  host = await start();
});
afterEach(async () => await host.stop());

const question = { action: 'Delete the folder reports', reason: 'You asked me to tidy up.' };
const ask = async (signal?: AbortSignal) => await host.call('request_approval', question, signal);

/** The files of all tasks, with what they hold. */
async function stateFiles(): Promise<{ path: string; text: string }[]> {
  const [client = ''] = await readdir(state);
  const names = await readdir(join(state, client));
  return await Promise.all(
    names.map(async (name) => {
      const path = join(state, client, name);
      return { path, text: await readFile(path, 'utf8') };
    }),
  );
}

/** The phone may show a question before its id has come back: an end in between leaves it until its time is over. */
const keptQuestion = async () =>
  await until(async () => {
    // A draft is gone when it is renamed.
    const files = await stateFiles().catch(() => []);
    return files.some(({ path, text }) => path.endsWith('.json') && text.includes('"asked"'));
  });

const decision = () => ({
  approvedBy: phone.identity.userId,
  approvedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  message: 'An AI agent asks: Delete the folder reports',
  details: [{ type: 'request_of_the_agent', ...question }],
  reference: expect.any(String),
});

describe('a call', () => {
  test('gives the decision: who approved what and when, with the id in the exported events, and no token', async () => {
    const asking = ask();
    const shown = await shownOn(phone);
    expect(shown.message).toBe('An AI agent asks: Delete the folder reports');
    expect(JSON.parse(shown.details ?? '')).toEqual(decision().details);
    expect(readContext(shown.context)).toMatchObject({
      requester: { tenant: stack.file.tenants[0].name },
    });
    await phone.confirm(shown);
    const { isError, structured, text } = await asking;
    expect([isError, structured]).toEqual([
      false,
      { status: 'approved', ...decision(), reference: shown.challengeId },
    ]);
    for (const told of [text, host.stderr, ...(await stateFiles()).map((file) => file.text)])
      expect(told).not.toMatch(/eyJ|authReqId/);
  });

  test.each(['user_declined', 'not_me'] as const)('learns no more than a refusal: %s', async (why) => {
    const asking = ask();
    await phone.deny(await shownOn(phone), why);
    expect((await asking).structured).toEqual({
      status: 'refused',
      explanation: 'The user did not approve. Do not ask again.',
    });
  });

  test('fails while another question is open', async () => {
    await push(stack.website, phone);
    expect(await ask()).toMatchObject({
      isError: true,
      structured: { status: 'unavailable', explanation: expect.stringContaining('Ask later') },
    });
  });

  test('asks nobody without a reason, with a user, or with a text that is too long', async () => {
    for (const changes of [{ reason: undefined }, { userId: 'somebody' }, { action: 'x'.repeat(201) }])
      await expect(host.call('request_approval', { ...question, ...changes })).rejects.toThrow('not valid');
    expect(await phone.challenges()).toMatchObject({ body: { challenges: [] } });
  });

  test('that the host cancels withdraws the question, and the server continues', async () => {
    const cancelled = new AbortController();
    const failed = expect(ask(cancelled.signal)).rejects.toThrow();
    await shownOn(phone);
    cancelled.abort();
    await failed;
    await goneFrom(phone);
    const asking = ask();
    await phone.confirm(await shownOn(phone));
    expect((await asking).structured).toMatchObject({ status: 'approved' });
  });

  test('withdraws the question after a crash, when the server starts again', async () => {
    const failed = expect(ask()).rejects.toThrow();
    await shownOn(phone);
    await keptQuestion();
    await host.kill();
    await failed;
    host = await start();
    await goneFrom(phone);
  });
});

describe('a task', () => {
  test('is there at once, tells its state, and has the decision as its result', async () => {
    const execution = await host.begin('request_approval', question);
    const task = host.tasks.task(execution.handle.taskId);
    expect(await task.snapshot()).toMatchObject({
      status: 'working',
      statusMessage: 'Waiting for the user to answer on the phone.',
    });
    await phone.confirm(await shownOn(phone));
    expect((await settled(execution)).structured).toEqual({
      status: 'approved',
      ...decision(),
    });
    expect(await task.snapshot()).toMatchObject({ status: 'completed' });
    expect((await host.tasks.listTasks()).tasks).toMatchObject([{ status: 'completed' }]);
  });

  test('has failed if the question is not accepted', async () => {
    await phone.remove();
    const { outcome } = await (await host.begin('request_approval', question)).settle();
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('no device') },
    });
  });

  test('that is cancelled withdraws the question', async () => {
    const execution = await host.begin('request_approval', question);
    await shownOn(phone);
    await execution.cancel();
    await goneFrom(phone);
    const task = host.tasks.task(execution.handle.taskId);
    expect(await task.snapshot()).toMatchObject({ status: 'cancelled' });
    await expect(task.cancel()).rejects.toThrow();
  });

  test('gets an answer that came while no server was running', async () => {
    const execution = await host.begin('request_approval', question);
    const reference = execution.serializeReference();
    await host.kill();
    await phone.deny(await shownOn(phone));
    host = await start();
    expect((await settled(await host.tasks.resumeTask(reference))).structured).toMatchObject({
      status: 'refused',
    });
  });

  test('keeps what redeems the answer in a file that only its owner can read, until it is over', async () => {
    const execution = await host.begin('request_approval', question);
    const [file] = (await stateFiles()).filter(({ path }) => path.endsWith('.json'));
    expect(((await stat(file?.path ?? '')).mode & 0o777).toString(8)).toBe('600');
    expect(file?.text).toContain('authReqId');
    await phone.confirm(await shownOn(phone));
    await execution.settle();
    const after = await stateFiles();
    expect(after.map(({ path }) => path)).toEqual([file?.path]);
    expect(after[0]?.text).not.toMatch(/authReqId|eyJ/);
  });

  test('whose id names another file does not exist', async () => {
    await writeFile(join(state, 'secret.json'), '{}');
    await expect(host.tasks.task(asTaskId('../secret')).snapshot()).rejects.toThrow('not found');
  });
});

test('the server says what its tool is for, and that it can be a task', async () => {
  const { tools } = await host.client.listTools();
  expect(tools).toMatchObject([
    { name: 'request_approval', description: expect.stringContaining('approve') },
  ]);
  expect(host.tasks.capabilities).toMatchObject({
    execution: true,
    cancellation: true,
    inventory: 'server-list',
  });
});
