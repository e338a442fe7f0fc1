/** What an answer of a push service means for the push, and when it is tried again. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { importJWK, jwtVerify } from 'jose';
import { newVapidKey, publicKeyOf } from '../../../../core/devices/push/vapid-key.ts';
import { VapidSigner } from '../../../../core/devices/push/vapid-signer.ts';
import { WebPushClient } from '../../../../core/devices/push/web-push-client.ts';
import { BrowserSubscription } from '../../../support/browser-subscription.ts';

type Answer = { status: number; retryAfter?: string; body?: string };

/** The answers of the push service, the last one for all further pushes, and when each push came. */
let answers: Answer[] = [];
let arrivals: number[] = [];
let authorization = '';
const server = createServer((request, response) => {
  arrivals.push(performance.now());
  authorization = request.headers.authorization ?? '';
  const [{ status, retryAfter, body } = { status: 201 }] =
    answers.length > 1 ? answers.splice(0, 1) : answers;
  response.writeHead(status, { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }).end(body);
});

const key = newVapidKey();
let origin: string;
let client: WebPushClient;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signer = new VapidSigner('mailto:ops@bank.example', async () => await Promise.resolve(key));
  const services = { hosts: [], localOrigin: origin };
  client = new WebPushClient({ services, signer, appUrl: 'https://app.example' });
});
beforeEach(() => {
  arrivals = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function sendWith(...given: Answer[]) {
  answers = given;
  const content = { title: 'Bank', alert: 'Pay?', lifetimeSeconds: 120 };
  const challenge = { challengeId: 'c'.repeat(43), expiresAt: '2099-03-02T10:02:00.000Z', ...content };
  return await client.send(new BrowserSubscription(`${origin}/push/1`).toJSON(), challenge);
}

/** Milliseconds between the first two pushes. Timers may fire a millisecond early. */
const waited = (): number => (arrivals[1] ?? 0) - (arrivals[0] ?? 0) + 2;

const sent = { delivery: 'sent' };
const failed = (status: number) => ({
  delivery: 'failed',
  fault: { name: 'PushServiceError', code: String(status) },
});

const mismatch =
  'the VAPID credentials in the authorization header do not correspond to the credentials used';
test.each([
  [403, '{"reason":"BadJwtToken"}', { name: 'PushContactRefused', reason: 'BadJwtToken' }],
  [400, '{"reason":"VapidPkHashMismatch"}', { name: 'PushKeyRefused', reason: 'VapidPkHashMismatch' }],
  [403, mismatch, { name: 'PushKeyRefused' }],
  [
    401,
    '{"code":401,"errno":109,"error":"Unauthorized"}',
    { name: 'PushSignatureRefused', reason: 'Unauthorized' },
  ],
  [403, '', { name: 'PushSignatureRefused' }],
  [400, '{"reason":"https://push.example/secret"}', { name: 'PushServiceError' }],
])(
  'a refusal by %i keeps the reason of the push service, and no address: %s',
  async (status, body, fault) => {
    const expected = { delivery: 'failed', fault: { ...fault, code: String(status) } };
    expect(await sendWith({ status, body })).toEqual(expected);
    expect(arrivals).toHaveLength(1);
  },
);

test.each([429, 503])('a push is retried after %i no earlier than Retry-After allows', async (status) => {
  expect(await sendWith({ status, retryAfter: '1' }, { status: 201 })).toEqual(sent);
  expect(arrivals).toHaveLength(2);
  expect(waited()).toBeGreaterThanOrEqual(1_000);
});

test('Retry-After may be a date', async () => {
  const retryAfter = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1_000).toUTCString();
  expect(await sendWith({ status: 429, retryAfter }, { status: 201 })).toEqual(sent);
  expect(waited()).toBeGreaterThanOrEqual(900);
});

test.each([
  [429, '4'],
  [503, '3600'],
  [503, 'Fri, 31 Dec 2100 23:59:59 GMT'],
])('a push fails at once if %i may be repeated only later: %s', async (status, retryAfter) => {
  expect(await sendWith({ status, retryAfter }, { status: 201 })).toEqual(failed(status));
  expect(arrivals).toHaveLength(1);
});

test.each([undefined, '0', 'soon', 'Thu, 01 Jan 2026 00:00:00 GMT'])(
  'a push is retried after the usual pause without a valid Retry-After (%s)',
  async (retryAfter) => {
    const answer = { status: 503, ...(retryAfter !== undefined && { retryAfter }) };
    expect(await sendWith(answer, { status: 201 })).toEqual(sent);
    expect(arrivals).toHaveLength(2);
  },
);

test('other refusals are final, also with Retry-After', async () => {
  expect(await sendWith({ status: 413, retryAfter: '1' })).toEqual(failed(413));
  expect(arrivals).toHaveLength(1);
});

test.each([404, 410])('a subscription that the push service answers with %i is gone', async (status) => {
  expect(await sendWith({ status, retryAfter: '1' })).toEqual({ delivery: 'unreachable' });
  expect(arrivals).toHaveLength(1);
});

test('the token of a push can be verified by another JWT library with the public key', async () => {
  expect(await sendWith({ status: 201 })).toEqual(sent);
  const [, token = '', point] = /^vapid t=(.+), k=(.+)$/.exec(authorization) ?? [];
  expect(point).toBe(publicKeyOf(key));
  const { kty, crv, x, y } = key;
  const verifier = await importJWK({ kty, crv, x, y }, 'ES256');
  const { payload, protectedHeader } = await jwtVerify(token, verifier, { audience: origin });
  expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256' });
  expect(payload).toMatchObject({ sub: 'mailto:ops@bank.example' });
  expect((payload.exp ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(24 * 60 * 60);
});
