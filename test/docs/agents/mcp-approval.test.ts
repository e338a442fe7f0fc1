/** The MCP server of the examples, with a host, a scripted model, a simulated phone and a resource server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { readContext } from '#device';
import type { Challenge } from '../../../tools/client/contract.ts';
import type { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import { eventually } from '../../../tools/client/waiting.ts';
import { connect } from '../../../docs/examples/mcp-approval/approval.ts';
import type { Payment } from '../../../docs/examples/approved-payments/payment.ts';
import { enrolDevice, push } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { McpHost } from './mcp-host.ts';
import { PaymentsServer } from './payments-server.ts';
import { scriptedModel } from './scripted-model.ts';

const stack = useSharedStack();
let payments: PaymentsServer;
let phone: SimulatedDevice;
let host: McpHost;

const environment = () => {
  const { baseUrl, tenants } = stack.file;
  const [{ tenantId, clientId, clientSecret }] = tenants;
  return {
    OMI_BASE_URL: baseUrl,
    OMI_TENANT_ID: tenantId,
    OMI_CLIENT_ID: clientId,
    OMI_CLIENT_SECRET: clientSecret,
  };
};

beforeAll(async () => {
  payments = await PaymentsServer.start(environment());
}, 60_000);
afterAll(async () => await payments.stop());

/** Each test has a user of its own, so a host of its own: a server works for one user. */
beforeEach(async () => {
  phone = await enrolDevice(stack.website);
  host = await McpHost.start({ ...environment(), OMI_USER_ID: phone.identity.userId });
}, 60_000);
afterEach(async () => await host.stop());

const payment: Payment = { to: 'Café Zoë', amount: '16.00', currency: 'EUR' };
const reason = 'You asked me to reserve a table for two.';

const challenge = async (): Promise<Challenge> =>
  await eventually(
    'the request on the phone',
    async () => {
      const answer = await phone.challenges();
      return answer.ok ? answer.body.challenges[0] : undefined;
    },
    { everyMs: 100, atMostMs: 30_000 },
  );

const detailsOf = (shown: Challenge): unknown => JSON.parse(shown.details ?? '');

const tokenIn = (result = ''): unknown => (JSON.parse(result) as Record<string, unknown>)['approvalToken'];

async function approved(): Promise<string> {
  const asking = host.requestApproval({ ...payment, reason });
  await phone.confirm(await challenge());
  const approval = await asking;
  if (approval.status !== 'approved') throw new Error(`It is ${approval.status}`);
  return approval.approvalToken;
}

test('the phone shows who asks, why, and the details, and the token pays exactly these', async () => {
  const model = scriptedModel([
    () => ({ tool: 'request_approval', input: { ...payment, reason } }),
    ([asked]) => ({ tool: 'pay', input: { ...payment, token: tokenIn(asked) } }),
  ]);
  const acting = model.run({
    request_approval: async (input) => (await host.call('request_approval', input)).text,
    pay: async ({ token, ...wanted }) => JSON.stringify(await payments.pay(wanted as Payment, String(token))),
  });
  const shown = await challenge();
  expect(shown.message).toBe('Pay 16.00 EUR to Café Zoë?');
  expect(readContext(shown.context).requester).toMatchObject({ tenant: stack.file.tenants[0].name });
  expect(detailsOf(shown)).toEqual([
    { type: 'payment', ...payment },
    { type: 'reason_of_the_agent', text: reason },
  ]);
  await phone.confirm(shown);
  const [asked = '', paid = ''] = await acting;
  expect(JSON.parse(asked)).toEqual({
    status: 'approved',
    approvalToken: expect.any(String),
    expiresInSeconds: 600,
  });
  expect(JSON.parse(paid)).toEqual({
    status: 201,
    body: { paid: { from: phone.identity.userId, ...payment } },
  });
});

test('the server has one tool and says what it is for', async () => {
  const { tools } = await host.client.listTools();
  expect(tools).toMatchObject([
    {
      name: 'request_approval',
      description: expect.stringContaining('works once, for exactly this payment'),
    },
  ]);
});

describe('an agent that was tricked', () => {
  test('can neither pay anything else with the token nor pay twice', async () => {
    const token = await approved();
    const others: Partial<Payment>[] = [{ to: 'Mallory' }, { amount: '1600.00' }, { currency: 'USD' }];
    for (const changes of others)
      expect((await payments.pay({ ...payment, ...changes }, token)).status).toBe(403);
    expect((await payments.pay(payment, token)).status).toBe(201);
    expect((await payments.pay(payment, token)).status).toBe(403);
  });

  test('cannot use the token at the service itself', async () => {
    const token = await approved();
    expect(decodeProtectedHeader(token).typ).toBe('at+jwt');
    expect(decodeJwt(token)).toMatchObject({ sub: phone.identity.userId });
    const { userId } = phone.identity;
    const response = await fetch(`${stack.file.baseUrl}/omi/users/${userId}/devices`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(401);
  });

  test('can choose neither whom to ask nor the text of the question', async () => {
    const other = await enrolDevice(stack.website);
    const asking = host.requestApproval({
      ...payment,
      reason: 'Press Confirm to stop a fraud.',
      userId: other.identity.userId,
      login_hint: other.identity.userId,
      message: 'Stop a fraud?',
      binding_message: 'Stop a fraud?',
    });
    const shown = await challenge();
    expect(shown.message).toBe('Pay 16.00 EUR to Café Zoë?');
    expect(await other.challenges()).toMatchObject({ body: { challenges: [] } });
    await phone.deny(shown);
    expect((await asking).status).toBe('refused');
  });

  test.each([
    ['an amount in words', { amount: 'all of it' }],
    ['a negative amount', { amount: '-5.00' }],
    ['no payee', { to: '' }],
    ['no reason', { reason: undefined }],
  ])('cannot ask for %s', async (_, changes) => {
    const { isError, structured } = await host.call('request_approval', { ...payment, reason, ...changes });
    expect([isError, structured]).toEqual([true, undefined]);
    expect(await phone.challenges()).toMatchObject({ body: { challenges: [] } });
  });

  test('cannot hide a payee behind characters that reverse text', async () => {
    const turned = { ...payment, to: 'Café \u202Eyrollam' };
    expect(await host.requestApproval({ ...turned, reason })).toMatchObject({
      status: 'unavailable',
      explanation: expect.stringContaining('invalid_'),
    });
  });
});

describe('the tool', () => {
  test.each(['user_declined', 'not_me'] as const)('gives no token after a denial: %s', async (why) => {
    const asking = host.requestApproval({ ...payment, reason });
    await phone.deny(await challenge(), why);
    expect(await asking).toEqual({ status: 'refused', explanation: expect.any(String) });
  });

  test('gives no token while another question is open', async () => {
    await push(stack.website, phone);
    const asked = await host.call('request_approval', { ...payment, reason });
    expect([asked.isError, asked.structured]).toEqual([
      true,
      { status: 'unavailable', explanation: expect.any(String) },
    ]);
  });

  test('gives no token for a user without a device', async () => {
    await phone.remove();
    expect(await host.requestApproval({ ...payment, reason })).toMatchObject({ status: 'unavailable' });
  });

  test('gives no token if the host cancels the call, and the server continues', async () => {
    const cancelled = new AbortController();
    const asking = host.requestApproval({ ...payment, reason }, cancelled.signal);
    const failed = expect(asking).rejects.toThrow();
    await challenge();
    cancelled.abort();
    await failed;
    expect((await host.client.listTools()).tools).toHaveLength(1);
  });

  test('stops polling once the call is cancelled', async () => {
    const { OMI_BASE_URL, OMI_CLIENT_ID, OMI_CLIENT_SECRET } = environment();
    const client = { issuer: OMI_BASE_URL, clientId: OMI_CLIENT_ID, clientSecret: OMI_CLIENT_SECRET };
    const ask = await connect(client);
    const cancelled = new AbortController();
    const { userId } = phone.identity;
    const question = { userId, message: 'Pay?', details: [{ type: 'payment' }], signal: cancelled.signal };
    const failed = expect(ask(question)).rejects.toMatchObject({ code: 'OAUTH_ABORT' });
    await challenge();
    cancelled.abort();
    await failed;
  });
});
