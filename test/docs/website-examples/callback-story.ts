import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { enrolDevice, openChallenge } from '../../contract/scenario.ts';
import type { TestStack } from '../../support/stack.ts';
import { Page } from './page.ts';

/** A call of the website's server to the service. */
type ServiceCall = { method: string; path: string; body?: string };

/** Makes Node.js note each call of a program's `fetch` before it begins, in the file that `CALLS` names. */
export const callRecorder = `
import { appendFileSync } from 'node:fs';
const { fetch } = globalThis;
globalThis.fetch = async (input, init = {}) => {
  const request = new Request(input, init);
  const call = { method: request.method, path: new URL(request.url).pathname, body: await request.clone().text() };
  appendFileSync(process.env.CALLS, JSON.stringify(call) + '\\n');
  return await fetch(input, init);
};
`;

export async function recordedCalls(file: string): Promise<ServiceCall[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as ServiceCall);
}

/** Sends the call-back of a confirmation that has ended, as the service does. */
async function callBack(url: string, stack: TestStack, { nonce, secret }: { nonce: string; secret: string }) {
  const { body } = await stack.website.getConfirmation(nonce);
  const data = { ...body, nonce: undefined };
  const sent = JSON.stringify({ type: 'confirmation.confirmed', timestamp: new Date().toISOString(), data });
  const at = new Date();
  const id = crypto.randomUUID();
  return await fetch(`${url}/omi/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, sent),
    },
    body: sent,
  });
}

type Story = { url: string; stack: TestStack; secret: string; calls: string };

/** Pays with one confirmation, whose result comes by a call-back, and returns how the website called the service. */
export async function payByCallback({ url, stack, secret, calls }: Story): Promise<string[]> {
  const phone = await enrolDevice(stack.website);
  const page = new Page(url);
  await page.signIn(phone.identity.userId);
  const payment = { amount: '20', to: 'Zoë & Co' };
  const { body } = await page.call('POST', '/omi/confirmations', payment);
  const id = String(body['id']);
  await phone.confirm(await openChallenge(phone));
  // The phone has answered, but the website has not heard of it: it asks its own store alone.
  expect(await page.call('GET', `/omi/confirmations/${id}`)).toMatchObject({ body: { status: 'pending' } });
  const { body: sent = '' } =
    (await recordedCalls(calls)).find(({ path }) => path.startsWith('/omi/push/')) ?? {};
  const { nonce } = JSON.parse(sent) as { nonce: string };

  const other = `whsec_${Buffer.from('a secret of somebody else').toString('base64')}`;
  expect((await callBack(url, stack, { nonce, secret: other })).status).toBe(400);
  expect(await page.call('GET', `/omi/confirmations/${id}`)).toMatchObject({ body: { status: 'pending' } });
  expect((await callBack(url, stack, { nonce, secret })).status).toBe(204);
  expect(await page.call('GET', `/omi/confirmations/${id}`)).toMatchObject({ body: { status: 'confirmed' } });

  const action = { ...payment, 'omi-confirmation': id };
  const paid = { status: 200, body: { done: 'Pay 20 € to Zoë & Co?' } };
  expect(await page.call('POST', '/pay', action)).toMatchObject(paid);
  expect((await page.call('POST', '/pay', action)).status).toBe(403);
  return (await recordedCalls(calls)).map(({ method, path }) => `${method} ${path}`);
}
