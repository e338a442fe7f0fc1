import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Challenge } from '../../../client/contract.ts';
import { eventually } from '../../support/waiting.ts';
import { jsonOn } from '../../cli/omi.ts';
import { enrolDevice, openChallenge } from '../../contract/scenario.ts';
import type { TestStack } from '../../support/stack.ts';
import { Page } from './page.ts';

/** A call of the website's server to the service. */
type ServiceCall = { method: string; path: string };

/** Makes Node.js note each call of a program's `fetch` before it begins, in the file that `CALLS` names. */
export const callRecorder = `
import { appendFileSync } from 'node:fs';
const { fetch } = globalThis;
globalThis.fetch = async (input, init = {}) => {
  const { method, url } = new Request(input, init);
  appendFileSync(process.env.CALLS, JSON.stringify({ method, path: new URL(url).pathname }) + '\\n');
  return await fetch(input, init);
};
`;

async function recordedCalls(file: string): Promise<ServiceCall[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as ServiceCall);
}

const callbackUrl = (url: string): string => `${url}/omi/callback`;

export type CallbackClient = { clientId: string; clientSecret: string; callbackSecret: string };

/** A client of the demo tenant with a callback. Where the website listens is known later. */
export async function callbackClient(stack: TestStack): Promise<CallbackClient> {
  const [{ tenantId }] = stack.file.tenants;
  const created = await jsonOn(stack)<Record<string, string>>(
    ...['client', 'create', tenantId, '--name', `callbacks-${crypto.randomUUID()}`],
    ...['--scope', 'all', '--callback-url', callbackUrl('http://127.0.0.1:9')],
  );
  const { clientId = '', clientSecret = '', callbackSecret = '' } = created;
  return { clientId, clientSecret, callbackSecret };
}

/** What somebody sends who knows everything but the secret. */
async function forge(
  url: string,
  stack: TestStack,
  { challengeId, messageHash }: Challenge,
): Promise<number> {
  const [{ tenantId }] = stack.file.tenants;
  const timestamp = new Date().toISOString();
  const data = { challengeId, messageHash, tenantId, status: 'confirmed', createdAt: timestamp };
  const sent = JSON.stringify({ type: 'confirmation.confirmed', timestamp, data });
  const at = new Date();
  const secret = `whsec_${Buffer.from('a secret of somebody else').toString('base64')}`;
  const { status } = await fetch(callbackUrl(url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'forged',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('forged', at, sent),
    },
    body: sent,
  });
  return status;
}

type Story = { url: string; stack: TestStack; client: CallbackClient; calls: string };

/** Pays with one confirmation, whose result comes by a callback, and returns how the website called the service. */
export async function payByCallback({ url, stack, client, calls }: Story): Promise<string[]> {
  await jsonOn(stack)('client', 'set', client.clientId, '--callback-url', callbackUrl(url));
  const phone = await enrolDevice(stack.website);
  const page = new Page(url);
  await page.signIn(phone.identity.userId);
  const payment = { amount: '20', to: 'Zoë & Co' };
  const { body } = await page.call('POST', '/omi/confirmations', payment);
  const id = String(body['id']);
  const statusOf = async (): Promise<unknown> =>
    (await page.call('GET', `/omi/confirmations/${id}`)).body['status'];

  const challenge = await openChallenge(phone);
  expect(await forge(url, stack, challenge)).toBe(400);
  expect(await statusOf()).toBe('pending');
  await phone.confirm(challenge);
  const isConfirmed = async (): Promise<true | undefined> =>
    (await statusOf()) === 'confirmed' ? true : undefined;
  await eventually('the callback', isConfirmed);

  const action = { ...payment, 'omi-confirmation': id };
  const paid = { status: 200, body: { done: 'Pay 20 € to Zoë & Co?' } };
  expect(await page.call('POST', '/pay', action)).toMatchObject(paid);
  expect((await page.call('POST', '/pay', action)).status).toBe(403);
  return (await recordedCalls(calls)).map(({ method, path }) => `${method} ${path}`);
}
