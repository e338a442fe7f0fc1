/** The programs of docs/websites-by-hand.md, run against the local stack as a website would. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { routes } from '../../lambdas/routes.ts';
import { verifyConfirmed, type Asked } from '../../docs/examples/typescript/evidence.ts';
import { createShop } from '../../docs/examples/typescript/shop.ts';
import { newNonce, StepUp, type Confirmation } from '../../docs/examples/typescript/step-up.ts';
import { shopByHand, type SignedIn } from './by-hand/served-shop.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import { succeeded } from '../contract/expectations.ts';
import { enrolDevice, listed, newUser, openChallenge } from '../contract/scenario.ts';
import { useSharedStack } from '../support/use-stack.ts';

const stack = useSharedStack();

const inChromium = await describeIn('chromium');

const page = readFileSync('docs/websites-by-hand.md', 'utf8');

let shop: Server;
let stepUp: StepUp;
let url: string;
const paid: { userId: string; cents: number }[] = [];
const keys = new Map<string, string[]>();

beforeAll(async () => {
  const { baseUrl, tokenUrl, tenants } = stack.file;
  const [{ tenantId, clientId, clientSecret }] = tenants;
  stepUp = new StepUp({ baseUrl, tokenUrl, clientId, clientSecret });
  shop = createShop({
    stepUp,
    baseUrl,
    tenantId,
    sessionOf: ({ headers }) => {
      const userId = headers['x-user'];
      return typeof userId === 'string' ? { userId } : undefined;
    },
    pay: (payment) => paid.push(payment),
  });
  await once(shop.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  shop.close();
  await once(shop, 'close');
});

type Seen = { status: number; body: Record<string, unknown> };

async function visit(method: string, path: string, userId?: string): Promise<Seen> {
  const headers = userId === undefined ? {} : { 'x-user': userId };
  const response = await fetch(`${url}${path}`, { method, headers });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Seen['body'] };
}

/** A user whose device the shop knows by its key. */
async function customer(): Promise<{ userId: string; device: SimulatedDevice }> {
  const device = await enrolDevice(stack.website, newUser());
  const { userId } = device.identity;
  keys.set(userId, [(await listed(stack.website, device)).keyThumbprint]);
  return { userId, device };
}

async function begin(userId: string): Promise<string> {
  const { status, body } = await visit('POST', '/payments?cents=1250', userId);
  expect([status, body['interval']]).toEqual([202, 1]);
  return `/payments/${String(body['id'])}`;
}

const paidBy = (user: string) => paid.filter(({ userId }) => userId === user);

describe('the example shop', () => {
  test('is paid once, after the user has confirmed', async () => {
    const { userId, device } = await customer();
    const payment = await begin(userId);
    expect((await visit('GET', payment, userId)).body).toMatchObject({ status: 'pending' });
    expect(paidBy(userId)).toEqual([]);
    const challenge = await openChallenge(device);
    expect(challenge.message).toBe('Pay 12.50 € to Example Shop?');
    succeeded(await device.confirm(challenge), 200);
    const polls = await Promise.all([1, 2, 3].map(async () => await visit('GET', payment, userId)));
    for (const { body } of polls) expect(body).toEqual({ status: 'paid' });
    expect(paidBy(userId)).toMatchObject([{ cents: 1250 }]);
  });
});

inChromium("the shop's page", () => {
  const site = { file: { appUrl: '' } };
  const chromium = useChromium(site);
  const signedIn: SignedIn = { customer: undefined };
  let served: { url: string; close: () => Promise<void> };

  beforeAll(async () => {
    served = await shopByHand(stack.file, signedIn);
    site.file.appUrl = served.url;
  });
  afterAll(async () => await served.close());

  test('the example says when it is paid, and withdraws when the user cancels', async () => {
    const { userId, device } = await customer();
    signedIn.customer = { userId };
    const visitor = await chromium.visitor();
    await visitor.open('/');
    await visitor.clicks('Pay');
    await visitor.reads('Check your phone.');
    await visitor.clicks('Cancel');
    await visitor.reads('You cancelled.');
    await visitor.waitsFor(async () => succeeded(await device.challenges(), 200).challenges, []);
    await visitor.clicks('Pay');
    await visitor.reads('Check your phone.');
    succeeded(await device.confirm(await openChallenge(device)), 200);
    await visitor.reads('Paid.');
  });
});

async function confirmedBy(
  { userId, device }: Awaited<ReturnType<typeof customer>>,
  question = { userId, message: 'Go on?', nonce: newNonce() },
): Promise<Confirmation> {
  await stepUp.ask(question);
  succeeded(await device.confirm(await openChallenge(device)), 200);
  return await stepUp.poll(question.nonce);
}

describe('the evidence', () => {
  let asked: Asked;
  let confirmation: Confirmation;

  beforeAll(async () => {
    const { userId, device } = await customer();
    const { baseUrl, tenants } = stack.file;
    const question = { userId, message: 'Change the address? 🏠', nonce: newNonce() };
    confirmation = await confirmedBy({ userId, device }, question);
    const knownKeys = keys.get(userId) ?? [];
    asked = { ...question, baseUrl, tenantId: tenants[0].tenantId, knownKeys, keys: await stepUp.keys() };
  });

  test('is accepted if it answers the question and comes from a known device', async () => {
    await expect(verifyConfirmed(confirmation, asked)).resolves.toBeDefined();
    const { deviceId } = confirmation;
    await expect(verifyConfirmed(confirmation, { ...asked, deviceId })).resolves.toBeDefined();
  });

  test.each([
    ['sub', { userId: 'another' }],
    ['messageHash', { message: 'Change the address?' }],
  ])('is rejected if its %s belongs to another question', async (name, change) => {
    await expect(verifyConfirmed(confirmation, { ...asked, ...change })).rejects.toThrow(`another ${name}`);
  });
});

describe('docs/websites-by-hand.md', () => {
  test('describes every operation of a website', () => {
    const ofTenants = (path: string): boolean => /^\/omi\/(events|exports|ssf)/.test(path);
    const websites = routes.filter(({ caller, path }) => caller === 'website' && !ofTenants(path));
    for (const { method, path } of websites) expect(page).toContain(`\`${method} ${path}\``);
  });
});
