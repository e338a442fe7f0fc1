/** `@omi/mcp` with the payments of the examples: a host, a scripted model, a simulated phone and a resource server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { readContext } from '#device';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { createService } from '../../../packages/mcp/src/omi/service.ts';
import { detailOf, messageOf, type Payment } from '../../../docs/examples/approved-payments/payment.ts';
import { enrolDevice } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { StdioHost, type ToolResult } from '../../packages/mcp/support/mcp-host.ts';
import { environmentOf, newState, shownOn } from '../../packages/mcp/support/phones.ts';
import { PaymentsServer } from './payments-server.ts';
import { scriptedModel } from './scripted-model.ts';
import { longestWaitMs } from '../../support/waiting.ts';

const stack = useSharedStack();
let payments: PaymentsServer;
/** Of a big order. */
let approvers: SimulatedDevice[];
let phone: SimulatedDevice;
let host: StdioHost;

const actions = 'docs/examples/approved-payments/actions.mjs';

beforeAll(async () => {
  approvers = await Promise.all([1, 2, 3].map(async () => await enrolDevice(stack.website)));
  const ids = approvers.map(({ identity }) => identity.userId);
  payments = await PaymentsServer.start({ ...environmentOf(stack), APPROVERS: ids.join(',') });
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

const pay = async (changes: Record<string, unknown> = {}): Promise<ToolResult> =>
  await host.call('pay', { ...payment, reason, ...changes });

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

test('the phone shows who asks, why, and the details, and the server pays exactly these: neither the model nor a log sees a token', async () => {
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
  expect([seen, host.stderr].join()).not.toMatch(/eyJ/);
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

describe('a big order, which two of three people must approve besides the user,', () => {
  const big = { amount: '25000.00' };

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
});

test('a token that was stolen from the server can neither pay anything else nor pay twice, nor call the service itself', async () => {
  const token = await approvedToken();
  const others: Partial<Payment>[] = [{ to: 'Mallory' }, { amount: '1600.00' }, { currency: 'USD' }];
  for (const changes of others)
    expect((await payments.pay({ ...payment, ...changes }, token)).status).toBe(403);
  expect(decodeProtectedHeader(token).typ).toBe('at+jwt');
  expect(decodeJwt(token)).toMatchObject({ sub: phone.identity.userId });
  const response = await fetch(`${stack.file.baseUrl}/omi/users/${phone.identity.userId}/devices`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(401);
  expect((await payments.pay(payment, token)).status).toBe(201);
  expect((await payments.pay(payment, token)).status).toBe(403);
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

  test('cannot ask for an amount in words, a negative amount, no payee or no reason, and cannot hide a payee behind characters that reverse text', async () => {
    for (const changes of [{ amount: 'all of it' }, { amount: '-5.00' }, { to: '' }, { reason: undefined }])
      await expect(pay(changes)).rejects.toThrow('not valid');
    expect((await pay({ to: 'Café \u202Eyrollam' })).structured).toMatchObject({
      status: 'unavailable',
      explanation: expect.stringContaining('invalid_'),
    });
    expect(await phone.challenges()).toMatchObject({ body: { challenges: [] } });
  });
});
