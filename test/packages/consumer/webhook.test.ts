/** Webhooks: their signature, the proof of the URL, and what the service is answered. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import { Webhook } from 'standardwebhooks';
import { createWebhookReceiver, toNodeListener, verifyWebhook, type Event } from '#consumer';
import { event, recordOf, tenantId } from './support/events.ts';

const secretOf = (text: string): string => `whsec_${Buffer.from(text).toString('base64')}`;
const secret = secretOf('a secret of the tests');
const now = Date.UTC(2026, 10, 22, 12);

type Parts = {
  body?: string | Uint8Array<ArrayBuffer>;
  signedBody?: string;
  by?: string;
  at?: number;
  headers?: Record<string, string>;
  method?: string;
};

function signed({
  body = recordOf(event('a')),
  signedBody,
  by = secret,
  at = now,
  headers = {},
  method = 'POST',
}: Parts = {}) {
  const text = signedBody ?? (typeof body === 'string' ? body : Buffer.from(body).toString());
  const signature = new Webhook(by).sign('event-1', new Date(at), text);
  const all = {
    'webhook-id': 'event-1',
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signature,
    ...headers,
  };
  return { method, headers: all, ...(method === 'POST' && { body }) };
}

const request = (parts?: Parts): Request => new Request('https://siem.example.org/omi', signed(parts));
const verify = async (parts?: Parts, options = {}) =>
  await verifyWebhook(request(parts), { secret, now: () => now, ...options });

describe('a webhook', () => {
  test('is signed like by the library of Standard Webhooks', async () => {
    const events = [event('a'), event('ä')];
    await expect(verify({ body: recordOf(...events) })).resolves.toEqual({
      type: 'events',
      id: 'event-1',
      events,
    });
  });

  test('may have a batch of CloudEvents', async () => {
    const events = [event('a'), event('b')];
    const cloudEvents = events.map((data) => ({ specversion: '1.0', data }));
    await expect(verify({ body: JSON.stringify(cloudEvents) })).resolves.toMatchObject({ events });
    await expect(verify({ body: JSON.stringify([{ specversion: '1.0' }]) })).rejects.toMatchObject({
      code: 'invalid-webhook',
    });
  });

  test('may be signed with either secret during a rotation', async () => {
    const secrets = { secret: [secretOf('the new one'), secret] };
    await expect(verify({}, secrets)).resolves.toMatchObject({ type: 'events' });
    await expect(verify({ by: secretOf('the new one') }, secrets)).resolves.toMatchObject({ type: 'events' });
  });

  test('may have signatures of both secrets and of other versions', async () => {
    const [, signature = ''] = /(v1,.*)/.exec(signed().headers['webhook-signature']) ?? [];
    const body = recordOf(event('a'));
    const own = new Webhook(secret).sign('event-1', new Date(now), body);
    const list = `v1a,abc v1,AAAA ${signature} ${own}`;
    await expect(verify({ body, headers: { 'webhook-signature': list } })).resolves.toMatchObject({
      type: 'events',
    });
  });

  test('has a challenge when it proves the URL', async () => {
    const body = JSON.stringify({ type: 'omi.verification', challenge: 'random' });
    await expect(verify({ body })).resolves.toEqual({
      type: 'verification',
      id: 'event-1',
      challenge: 'random',
    });
  });

  test('may be as old as the tolerance for clocks', async () => {
    for (const difference of [-300_000, 300_000])
      await expect(verify({ at: now + difference })).resolves.toMatchObject({ type: 'events' });
  });

  test('may be as large as the largest one of the service', async () => {
    const body = recordOf(event('a')).padEnd(1024 * 1024);
    await expect(verify({ body })).resolves.toMatchObject({ type: 'events' });
  });

  /** Signed as they are, where the library would refuse to. */
  const signedAs = ({
    id = 'event-1',
    timestamp = String(now / 1000),
    version = 'v1',
    body = Buffer.from(recordOf(event('a'))),
  }): Parts => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `${version},${signature}`,
    };
    return { body, headers };
  };
  const large = JSON.stringify({ events: [event('a', { payload: 'x'.repeat(1024 * 1024) })] });
  test.each<[string, Parts]>([
    ['another body', { signedBody: recordOf(event('b')) }],
    ['another secret', { by: secretOf('of somebody else') }],
    ['another id', { headers: { 'webhook-id': 'event-2' } }],
    ['another time', { headers: { 'webhook-timestamp': String(now / 1000 + 1) } }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['an empty signature', { headers: { 'webhook-signature': 'v1,' } }],
    ['a signature without a version', { headers: { 'webhook-signature': 'AAAA' } }],
    ['a signature of another version', signedAs({ version: 'v2' })],
    ['an id that is empty', signedAs({ id: '' })],
    ['a time with a fraction', signedAs({ timestamp: `${now / 1000}.5` })],
    ['a time in another notation', signedAs({ timestamp: `0x${(now / 1000).toString(16)}` })],
    ['an old time', { at: now - 301_000 }],
    ['a time in the future', { at: now + 301_000 }],
    ['a time that is not a number', { headers: { 'webhook-timestamp': 'soon' } }],
    ['a body that is not UTF-8', signedAs({ body: Buffer.from(recordOf(event('ÿ')), 'latin1') })],
    ['invalid JSON', { body: 'events' }],
    ['no events', { body: '{"type":"confirmation.confirmed"}' }],
    ['a challenge of another type', { body: '{"type":"other","challenge":"random"}' }],
    ['a challenge that is not a string', { body: '{"type":"omi.verification","challenge":1}' }],
    ['a body that is one byte too large', { body: recordOf(event('a')).padEnd(1024 * 1024 + 1) }],
    ['a large body', { body: large }],
  ])('is refused with %s', async (_, parts) => {
    await expect(verify(parts)).rejects.toMatchObject({ code: 'invalid-webhook' });
  });

  test('is refused with events of another tenant, if one is named', async () => {
    await expect(verify({}, { tenantId: tenantId.toUpperCase() })).resolves.toMatchObject({ type: 'events' });
    await expect(verify({}, { tenantId: 'another' })).rejects.toMatchObject({ code: 'invalid-webhook' });
    const body = recordOf(event('a'), event('b', { metadata: { tenantId: 'another' } }));
    await expect(verify({ body }, { tenantId })).rejects.toMatchObject({ code: 'invalid-webhook' });
  });

  test('requires a usable secret', async () => {
    for (const unusable of [[], '', 'whsec_', 'whsec_***', `v1,${secret}`, `${secret}!`, 'a secret']) {
      await expect(verify({}, { secret: unusable })).rejects.toMatchObject({ code: 'invalid-options' });
      expect(() => createWebhookReceiver({ secret: unusable, handlers: () => undefined })).toThrow(
        expect.objectContaining({ code: 'invalid-options' }),
      );
    }
    for (const usable of [secret.replace('whsec_', ''), `${secret}\n`])
      await expect(verify({}, { secret: usable })).resolves.toMatchObject({ type: 'events' });
  });
});

async function statusOf(url: string, method: string): Promise<number | undefined> {
  const call = httpRequest(url, { method }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('a receiver', () => {
  const receiverOf = (handlers: (one: Event) => void) => {
    const errors: unknown[] = [];
    const options = { secret, now: () => now, onError: (error: unknown) => void errors.push(error) };
    return { receive: createWebhookReceiver({ ...options, handlers }), errors };
  };

  test('handles each event once, answers the challenge, and refuses the rest', async () => {
    const handled: Event[] = [];
    const { receive, errors } = receiverOf((one) => void handled.push(one));
    const one = event('a');
    for (const body of [recordOf(one), recordOf(one, one)])
      expect((await receive(request({ body }))).status).toBe(204);
    expect(handled).toEqual([one]);

    const challenge = await receive(request({ body: '{"type":"omi.verification","challenge":"random"}' }));
    expect([challenge.status, await challenge.json()]).toEqual([200, { challenge: 'random' }]);
    expect((await receive(request({ method: 'GET' }))).status).toBe(405);
    expect(errors).toEqual([]);
    expect((await receive(request({ by: secretOf('of somebody else') }))).status).toBe(400);
    expect(errors).toMatchObject([{ code: 'invalid-webhook' }]);
  });

  test('answers 500 if an event fails, and handles the event when it is repeated', async () => {
    let isBroken = true;
    const handled: Event[] = [];
    const { receive, errors } = receiverOf((one) => {
      if (isBroken) throw new Error('broken');
      handled.push(one);
    });
    const body = recordOf(event('a'), event('b'));
    expect((await receive(request({ body }))).status).toBe(500);
    expect(errors).toEqual([new Error('broken')]);
    isBroken = false;
    expect((await receive(request({ body }))).status).toBe(204);
    expect(handled).toHaveLength(2);
  });

  test('answers 500 after its own fault', async () => {
    const handlers = (): void => undefined;
    const body = new ReadableStream({
      start: (controller) => controller.error(Object.assign(new Error(), { code: 'invalid-webhook' })),
    });
    const broken = new Request('https://siem.example.org/omi', { method: 'POST', body, duplex: 'half' });
    expect((await receiverOf(handlers).receive(broken)).status).toBe(500);
  });

  test('works behind a parser that keeps the bytes, and says of another that it does not', async () => {
    const { receive, errors } = receiverOf(() => undefined);
    const app = express();
    app.post('/bytes', express.raw({ type: '*/*' }), toNodeListener(receive));
    app.post('/parsed', express.json({ type: '*/*' }), toNodeListener(receive));
    const verify = (request: object, _: object, rawBody: Buffer): object =>
      Object.assign(request, { rawBody });
    app.post('/both', express.json({ type: '*/*', verify }), toNodeListener(receive));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const sent = signed({ body: `${recordOf(event('a'))} ` });
      expect((await fetch(`${url}/bytes`, sent)).status).toBe(204);
      expect((await fetch(`${url}/both`, sent)).status).toBe(204);
      expect((await fetch(`${url}/parsed`, sent)).status).toBe(400);
      expect(errors).toMatchObject([
        { message: expect.stringMatching(/a parser has read the body.*express\.raw/) },
      ]);
    } finally {
      server.close();
      await once(server, 'close');
    }
  });

  test('works in Node.js', async () => {
    const handled: Event[] = [];
    const { receive } = receiverOf((one) => void handled.push(one));
    const server = createServer(toNodeListener(receive));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/omi`;
      expect((await fetch(url, signed())).status).toBe(204);
      const answer = await fetch(url, signed({ body: '{"type":"omi.verification","challenge":"random"}' }));
      expect([answer.headers.get('content-type'), await answer.json()]).toEqual([
        'application/json',
        { challenge: 'random' },
      ]);
      expect((await fetch(url)).status).toBe(405);
      // What fetch and `Request` do not take, and a stranger may send.
      for (const method of ['TRACE', 'HEAD']) expect(await statusOf(url, method)).toBe(405);
      expect(handled).toHaveLength(1);
    } finally {
      server.close();
      await once(server, 'close');
    }
  });
});
