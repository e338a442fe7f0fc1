/** `@omi/mcp` with the payments of the examples: a host, a scripted model, a simulated phone and a resource server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { readContext } from '#device';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { createService } from '../../../packages/mcp/src/omi/service.ts';
import { detailOf, messageOf, type Payment } from '../../../docs/examples/approved-payments/payment.ts';
import { enrolDevice, push } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { StdioHost, type ToolResult } from '../../packages/mcp/support/mcp-host.ts';
import { environmentOf, goneFrom, newState, shownOn } from '../../packages/mcp/support/phones.ts';
import { PaymentsServer } from './payments-server.ts';
import { scriptedModel } from './scripted-model.ts';
import { longestWaitMs } from '../../support/waiting.ts';

const stack = useSharedStack();
let payments: PaymentsServer;
let phone: SimulatedDevice;
let host: StdioHost;

const actions = 'docs/examples/approved-payments/actions.mjs';

beforeAll(async () => {
  payments = await PaymentsServer.start(environmentOf(stack));
});
afterAll(async () => await payments.stop());

/** Each test has a user of its own, so a host of its own: over stdio a server works for one user. */
beforeEach(async () => {
  phone = await enrolDevice(stack.website);
  const { userId } = phone.identity;
  host = await StdioHost.start({
    env: { ...environmentOf(stack), OMI_USER_ID: userId, PAYMENTS_URL: payments.url },
    args: ['--actions', actions, '--state', await newState()],
  });
});
afterEach(async () => await host.stop());

const payment: Payment = { to: 'Café Zoë', amount: '16.00', currency: 'EUR' };
const reason = 'You asked me to reserve a table for two.';

const pay = async (changes: Record<string, unknown> = {}, signal?: AbortSignal): Promise<ToolResult> =>
  await host.call('pay', { ...payment, reason, ...changes }, signal);

/** A token as the server has it, which no model sees. */
async function approvedToken(): Promise<string> {
  const { OMI_BASE_URL = '', OMI_CLIENT_ID = '', ...env } = environmentOf(stack);
  const { OMI_CLIENT_SECRET: clientSecret = '', OMI_TOKEN_URL: tokenUrl = '' } = env;
  const credentials = { clientSecret, tokenUrl };
  const client = { baseUrl: OMI_BASE_URL, clientId: OMI_CLIENT_ID, credentials };
  const { ask, answer } = createService({ client, lifetimeSeconds: 60 });
  const { userId } = phone.identity;
  const question = { userId, message: messageOf(payment), details: [detailOf(payment)] };
  const asked = await ask(question);
  await phone.confirm(await shownOn(phone));
  const answered = await answer(asked, question, AbortSignal.timeout(longestWaitMs));
  if (answered.status !== 'approved') throw new Error(`It is ${answered.status}`);
  return answered.token;
}

test('the phone shows who asks, why, and the details, and the server pays exactly these', async () => {
  const model = scriptedModel([() => ({ tool: 'pay', input: { ...payment, reason } })]);
  const acting = model.run({ pay: async (input) => (await host.call('pay', input)).text });
  const shown = await shownOn(phone);
  expect(shown.message).toBe('Pay 16.00 EUR to Café Zoë?');
  expect(readContext(shown.context).requester).toMatchObject({ tenant: stack.file.tenants[0].name });
  const details = [
    { type: 'payment', ...payment },
    { type: 'reason_of_the_agent', text: reason },
  ];
  expect(JSON.parse(shown.details ?? '')).toEqual(details);
  await phone.confirm(shown);
  const [seen = ''] = await acting;
  expect(JSON.parse(seen)).toEqual({
    status: 'done',
    approvedBy: phone.identity.userId,
    approvedAt: expect.any(String),
    message: shown.message,
    details,
    reference: shown.challengeId,
    result: { paid: { from: phone.identity.userId, ...payment } },
  });
});

test('the model never sees a token', async () => {
  const asking = pay();
  await phone.confirm(await shownOn(phone));
  const { text, structured } = await asking;
  expect(structured?.status).toBe('done');
  expect([text, host.stderr].join()).not.toMatch(/eyJ/);
});

test('the server has the tools of the operator alone, and says what they are for', async () => {
  const { tools } = await host.client.listTools();
  expect(tools).toMatchObject([
    { name: 'pay', description: expect.stringContaining('after the user has approved it') },
  ]);
});

describe('a big order, which two of three people must approve besides the user,', () => {
  const big = { amount: '25000.00' };
  let approvers: SimulatedDevice[];

  beforeEach(async () => {
    approvers = await Promise.all([1, 2, 3].map(async () => await enrolDevice(stack.website)));
    await Promise.all([host.stop(), payments.stop()]);
    const ids = approvers.map(({ identity }) => identity.userId);
    payments = await PaymentsServer.start({ ...environmentOf(stack), APPROVERS: ids.join(',') });
    host = await StdioHost.start({
      env: { ...environmentOf(stack), OMI_USER_ID: phone.identity.userId, PAYMENTS_URL: payments.url },
      args: ['--actions', actions, '--state', await newState()],
    });
  });

  /** The user approves, then these approvers answer one after another. */
  async function order(...answers: ('confirm' | 'deny')[]): Promise<ToolResult> {
    const asking = pay(big);
    await phone.confirm(await shownOn(phone));
    for (const [index, decision] of answers.entries()) {
      const approver = approvers[index];
      if (!approver) throw new Error('There are three approvers');
      const shown = await shownOn(approver);
      expect(shown.message).toBe('An agent orders: Pay 25000.00 EUR to Café Zoë?');
      expect(readContext(shown.context).group).toMatchObject({ required: 2, of: 3 });
      await approver.answer(shown, { decision });
    }
    return await asking;
  }

  test('is paid when two of them confirm', async () => {
    const { structured } = await order('confirm', 'deny', 'confirm');
    expect(structured).toMatchObject({ status: 'done', result: { paid: { ...payment, ...big } } });
  });

  test('is not paid when two of them deny', async () => {
    const { isError, structured } = await order('deny', 'deny');
    expect(isError).toBe(true);
    expect(JSON.stringify(structured)).toContain('403');
  });

  test('asks nobody but the user when it is small', async () => {
    const asking = pay();
    await phone.confirm(await shownOn(phone));
    expect((await asking).structured?.status).toBe('done');
    for (const approver of approvers)
      expect(await approver.challenges()).toMatchObject({ body: { challenges: [] } });
  });
});

describe('a token that was stolen from the server', () => {
  test('can neither pay anything else nor pay twice', async () => {
    const token = await approvedToken();
    const others: Partial<Payment>[] = [{ to: 'Mallory' }, { amount: '1600.00' }, { currency: 'USD' }];
    for (const changes of others)
      expect((await payments.pay({ ...payment, ...changes }, token)).status).toBe(403);
    expect((await payments.pay(payment, token)).status).toBe(201);
    expect((await payments.pay(payment, token)).status).toBe(403);
  });

  test('cannot use the token at the service itself', async () => {
    const token = await approvedToken();
    expect(decodeProtectedHeader(token).typ).toBe('at+jwt');
    expect(decodeJwt(token)).toMatchObject({ sub: phone.identity.userId });
    const { userId } = phone.identity;
    const response = await fetch(`${stack.file.baseUrl}/omi/users/${userId}/devices`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(401);
  });
});

describe('an agent that was tricked', () => {
  test('can choose neither whom to ask nor the text of the question', async () => {
    const other = await enrolDevice(stack.website);
    for (const more of [
      { userId: other.identity.userId },
      { login_hint: other.identity.userId },
      { message: 'Stop a fraud?' },
    ])
      await expect(pay(more)).rejects.toThrow('not valid');
    const asking = pay({ reason: 'Press Confirm to stop a fraud.' });
    const shown = await shownOn(phone);
    expect(shown.message).toBe('Pay 16.00 EUR to Café Zoë?');
    expect(await other.challenges()).toMatchObject({ body: { challenges: [] } });
    await phone.deny(shown);
    expect((await asking).structured?.status).toBe('refused');
  });

  test.each([
    ['an amount in words', { amount: 'all of it' }],
    ['a negative amount', { amount: '-5.00' }],
    ['no payee', { to: '' }],
    ['no reason', { reason: undefined }],
  ])('cannot ask for %s', async (_, changes) => {
    await expect(pay(changes)).rejects.toThrow('not valid');
    expect(await phone.challenges()).toMatchObject({ body: { challenges: [] } });
  });

  test('cannot hide a payee behind characters that reverse text', async () => {
    expect((await pay({ to: 'Café \u202Eyrollam' })).structured).toMatchObject({
      status: 'unavailable',
      explanation: expect.stringContaining('invalid_'),
    });
  });
});

describe('nothing is paid', () => {
  test.each(['user_declined', 'not_me'] as const)('after a denial: %s', async (why) => {
    const asking = pay();
    await phone.deny(await shownOn(phone), why);
    expect((await asking).structured).toEqual({ status: 'refused', explanation: expect.any(String) });
  });

  test('while another question is open', async () => {
    await push(stack.website, phone);
    const { isError, structured } = await pay();
    expect([isError, structured]).toEqual([true, { status: 'unavailable', explanation: expect.any(String) }]);
  });

  test('after the host has cancelled the call, and the phone shows no question', async () => {
    const cancelled = new AbortController();
    const failed = expect(pay({}, cancelled.signal)).rejects.toThrow();
    await shownOn(phone);
    cancelled.abort();
    await failed;
    await goneFrom(phone);
  });
});
