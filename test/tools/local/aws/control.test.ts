import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCallLog } from '../../../../tools/local/aws/endpoint/call-log.ts';
import { createFaults } from '../../../../tools/local/aws/endpoint/faults.ts';
import { createRingBuffer } from '../../../../tools/local/aws/endpoint/ring-buffer.ts';
import { createSes } from '../../../../tools/local/aws/stand-ins/ses/backend.ts';
import type { Push } from '../../../../tools/local/aws/stand-ins/sns/backend.ts';
import { createSessions } from '../../../../tools/local/aws/stand-ins/sts/sessions.ts';
import { type Control, startControl } from '../../../../tools/local/aws/control.ts';
import type { WebPush } from '../../../../tools/local/web-push/push-service.ts';

const faults = createFaults();
const pushes = createRingBuffer<Push>(3);
const webPushes = createRingBuffer<WebPush>(3);
const { mails } = createSes();
const calls = createCallLog();
const sessions = createSessions();
let control: Control;
let drops = 0;

beforeAll(async () => {
  control = await startControl({
    faults,
    pushes,
    mails,
    webPushes,
    calls,
    sessions,
    dropConnections: () => (drops += 1),
  });
});
afterAll(async () => await control.close());
beforeEach(() => {
  faults.clear();
  pushes.reset();
  webPushes.reset();
});

const postFault = async (body: unknown): Promise<Response> =>
  await fetch(control.faultsUrl, { method: 'POST', body: JSON.stringify(body) });

const json = async (response: Response): Promise<unknown> => await response.json();

test('pushes to one device can be listed', async () => {
  const at = '2026-01-01T00:00:00.000Z';
  const native: Push = { at, platform: 'fcm', token: 'a+b', endpointArn: 'a', payload: {}, headers: {} };
  const web: WebPush = { at, platform: 'web', token: 'https://push.test/1', headers: {}, body: Buffer.of(1) };
  for (const token of ['a+b', 'other']) pushes.push({ ...native, token });
  webPushes.push(web);
  const to = async (token: string): Promise<unknown> =>
    await json(await fetch(`${control.pushesUrl}?${new URLSearchParams({ token }).toString()}`));
  expect(await to('a+b')).toEqual([{ ...native, headers: undefined }]);
  expect(await to('https://push.test/1')).toEqual([{ ...web, body: 'AQ' }]);
  expect(await to('nobody')).toEqual([]);
});

test('sessions can be expired', async () => {
  const { accessKeyId } = sessions.open('arn:aws:iam::111111111111:role/writer', 'export', 900);
  expect(sessions.isExpired(accessKeyId)).toBe(false);
  const { status } = await fetch(new URL('/sessions', control.pushesUrl), { method: 'DELETE' });
  expect([status, sessions.isExpired(accessKeyId)]).toEqual([204, true]);
});

test('connections can be dropped', async () => {
  const { status } = await fetch(new URL('/connections', control.pushesUrl), { method: 'DELETE' });
  expect([status, drops]).toEqual([204, 1]);
});

describe('faults', () => {
  test.each([
    ['service', { service: 'lambda', fault: 'slow' }],
    ['service', { fault: 'slow' }],
    ['fault', { service: 'sns', fault: 'explode' }],
    ['fault', { service: 'sns', fault: 'conflict' }],
    ['fault', { service: 's3', fault: 'partial' }],
    ['ratio', { service: 'sns', fault: 'throttle', ratio: 1.5 }],
    ['times', { service: 'sns', fault: 'throttle', times: 0 }],
    ['delayMs', { service: 'sns', fault: 'slow', delayMs: '5' }],
    ['operation', { service: 'sns', fault: 'slow', operation: '' }],
    ['colour', { service: 'sns', fault: 'slow', colour: 'red' }],
    ['', 'no object'],
  ])('are rejected with the name of the wrong field: %s', async (field, body) => {
    const refused = await postFault(body);
    expect(refused.status).toBe(400);
    expect(await json(refused)).toMatchObject({ errors: [{ field }] });
    expect(faults.list()).toEqual([]);
  });
});

test.each([
  ['Host', { host: 'omi.example.com' }],
  ['Origin', { origin: 'https://omi.example.com' }],
])('a foreign %s is rejected', async (_name, headers) => {
  expect(await statusWith(headers)).toBe(403);
});

test("the control plane's own Origin is accepted", async () => {
  expect(await statusWith({ origin: new URL(control.pushesUrl).origin })).toBe(200);
});

/** `fetch` does not let a caller choose these headers. */
function statusWith(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(control.pushesUrl, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}
