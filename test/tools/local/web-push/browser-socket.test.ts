import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { VapidSigner } from '../../../../core/devices/push/vapid-signer.ts';
import { newVapidKey, publicKeyOf } from '../../../../core/devices/push/vapid-key.ts';
import { webPushMessage } from '../../../../core/devices/push/web-push-message.ts';
import { createFaults } from '../../../../tools/local/aws/endpoint/faults.ts';
import { type PushService, startPushService } from '../../../../tools/local/web-push/push-service.ts';
import { BrowserSubscription } from '../../../support/browser-subscription.ts';

type Message = Record<string, unknown> & { messageType: string };

let service: PushService;
const key = newVapidKey();
const open: WebSocket[] = [];

beforeAll(async () => {
  service = await startPushService({ faults: createFaults() });
});
afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));
afterAll(async () => await service.close());

/** A browser as Firefox talks. */
async function connect(uaid?: string) {
  const socket = new WebSocket(service.url.replace('http:', 'ws:'));
  open.push(socket);
  const received: Message[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data: Buffer) => {
    received.push(JSON.parse(data.toString()) as Message);
    waiting.splice(0).forEach((wake) => wake());
  });
  await once(socket, 'open');
  const next = async (): Promise<Message> => {
    for (;;) {
      const message = received.shift();
      if (message) return message;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const ask = async (message: object): Promise<Message> => {
    socket.send(JSON.stringify(message));
    return await next();
  };
  const hello = await ask({ messageType: 'hello', use_webpush: true, broadcasts: {}, ...(uaid && { uaid }) });
  return { socket, next, ask, hello };
}

async function register(browser: Awaited<ReturnType<typeof connect>>, sender = publicKeyOf(key)) {
  const channelID = randomUUID();
  const answer = await browser.ask({ messageType: 'register', channelID, key: sender });
  return { channelID, subscription: new BrowserSubscription(String(answer['pushEndpoint'])) };
}

const signer = new VapidSigner('mailto:test@omi.example', async () => await Promise.resolve(key));

async function send(subscription: BrowserSubscription, changed: Record<string, string | undefined> = {}) {
  const content = { challengeId: randomUUID(), expiresAt: new Date(Date.now() + 60_000).toISOString() };
  const shown = { title: 'Bank', alert: 'Pay?', lifetimeSeconds: 60 };
  const options = { appUrl: 'https://app.example', now: Date.now() };
  const { headers, body } = await webPushMessage(subscription.toJSON(), { ...content, ...shown }, options);
  const authorization = await signer.authorizationFor(new URL(service.url).origin, Date.now());
  const all = { ...headers, authorization, ...changed };
  const kept = Object.entries<string | undefined>(all).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return await fetch(subscription.endpoint, { method: 'POST', headers: kept, body: Buffer.from(body) });
}

test('a browser registers, gets a push and acknowledges it', async () => {
  const browser = await connect();
  expect(browser.hello).toMatchObject({ messageType: 'hello', status: 200, use_webpush: true });
  const { channelID, subscription } = await register(browser);
  expect(subscription.endpoint.startsWith(`${service.url}/`)).toBe(true);
  const response = await send(subscription);
  expect(response.status).toBe(201);
  expect(response.headers.get('location')).toMatch(/^http:/);
  const push = await browser.next();
  expect(push).toMatchObject({ messageType: 'notification', channelID, headers: { encoding: 'aes128gcm' } });
  expect(subscription.decrypt(Buffer.from(String(push['data']), 'base64url'))).toContain('"web_push":8030');
});

test('an ended subscription is gone', async () => {
  const browser = await connect();
  const { channelID, subscription } = await register(browser);
  expect(await browser.ask({ messageType: 'unregister', channelID })).toMatchObject({ status: 200 });
  expect((await send(subscription)).status).toBe(410);
});

test('a subscription accepts only pushes of its own sender', async () => {
  const { subscription } = await register(await connect(), publicKeyOf(newVapidKey()));
  expect((await send(subscription)).status).toBe(403);
});

test.each([
  ['no TTL', 400, { ttl: undefined }],
  ['a negative TTL', 400, { ttl: '-1' }],
  ['another encoding', 400, { 'content-encoding': 'aesgcm' }],
  ['a long topic', 400, { topic: 'x'.repeat(33) }],
  ['another urgency', 400, { urgency: 'now' }],
  ['no token', 401, { authorization: undefined }],
  ['the scheme of a draft', 401, { authorization: 'WebPush x' }],
])('a push with %s is rejected with %d', async (_, status, headers) => {
  const subscription = new BrowserSubscription(`${service.url}/${randomUUID()}`);
  expect((await send(subscription, headers)).status).toBe(status);
  expect(service.pushes.list().some(({ token }) => token === subscription.endpoint)).toBe(false);
});

test('a token for another push service, or signed by another key, is rejected', async () => {
  const subscription = new BrowserSubscription(`${service.url}/${randomUUID()}`);
  const elsewhere = await signer.authorizationFor('https://fcm.googleapis.com', Date.now());
  expect((await send(subscription, { authorization: elsewhere })).status).toBe(403);
  const own = await signer.authorizationFor(new URL(service.url).origin, Date.now());
  const forged = own.replace(/k=.*/, `k=${publicKeyOf(newVapidKey())}`);
  expect((await send(subscription, { authorization: forged })).status).toBe(403);
});

test('a web page cannot connect', async () => {
  const socket = new WebSocket(service.url.replace('http:', 'ws:'), { origin: 'https://evil.example' });
  await expect(once(socket, 'open')).rejects.toThrow();
});
