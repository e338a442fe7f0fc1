import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import fastify from 'fastify';
import { Denied, type NodeRequest, toNodeHandler, toRequest } from '#website';

const closing: (() => unknown)[] = [];
afterAll(() => closing.forEach((close) => close()));

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Tells what arrived as a web request. */
async function echo(request: Request): Promise<Response> {
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  const body = await request.clone().text();
  return Response.json({ method, url: `${pathname}${search}`, type: headers.get('content-type'), body });
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const call = async (url: string, init: RequestInit): Promise<Record<string, unknown>> =>
  (await (await fetch(url, init)).json()) as Record<string, unknown>;

function expressWithParsers(): express.Express {
  const app = express();
  app.use(express.json(), express.urlencoded({ extended: false }), express.text());
  app.use('/omi', toNodeHandler(echo));
  return app;
}

function fastifyServer() {
  const app = fastify();
  app.addContentTypeParser(form['content-type'], { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  app.all('/omi/*', async (request, reply) => await reply.send(await echo(toRequest(request))));
  return app;
}

const servers: Record<string, () => Promise<string>> = {
  'Node.js': async () => await listen((...exchange) => void toNodeHandler(echo)(...exchange)),
  Express: async () => await listen(express().use('/omi', toNodeHandler(echo))),
  'Express behind parsers': async () => await listen(expressWithParsers()),
  Fastify: async () => {
    const app = fastifyServer();
    closing.push(async () => await app.close());
    return await app.listen({ port: 0, host: '127.0.0.1' });
  },
};

test('the request aborts if its caller is gone, and not after its answer', async () => {
  const signals: AbortSignal[] = [];
  const arrived = Promise.withResolvers<AbortSignal>();
  const handle = toNodeHandler(async ({ url, signal }) => {
    signals.push(signal);
    if (!url.endsWith('/slow')) return new Response();
    const aborted = once(signal, 'abort');
    arrived.resolve(signal);
    await aborted;
    return new Response();
  });
  const url = await listen((...exchange) => void handle(...exchange));
  await (await fetch(url)).text();
  const caller = new AbortController();
  const left = expect(fetch(`${url}/slow`, { signal: caller.signal })).rejects.toThrow(/abort/);
  const signal = await arrived.promise;
  const aborted = once(signal, 'abort');
  caller.abort();
  await Promise.all([left, aborted]);
  expect(signals.map((one) => one.aborted)).toEqual([false, true]);
});

describe.each(Object.entries(servers))('%s', (_, start) => {
  const url = start();

  test('passes on a request without a body', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(`${await url}/omi/confirmations/x?a=1`, { method });
      expect(answer).toMatchObject({ method, url: '/omi/confirmations/x?a=1', body: '' });
    }
  });

  test('passes on JSON', async () => {
    const body = JSON.stringify({ amount: '20', to: ['Zoë', { a: 1 }] });
    expect(await call(`${await url}/omi/x`, { method: 'POST', headers: json, body })).toMatchObject({ body });
  });

  test('passes on a form', async () => {
    const body = 'amount=20&to=Zo%C3%AB+%26+co&both=1&both=2';
    const answer = await call(`${await url}/omi/x`, { method: 'POST', headers: form, body });
    expect(answer).toMatchObject({ body, type: expect.stringContaining(form['content-type']) });
  });
});

describe('Express behind a parser that nests fields', () => {
  const app = express().use(express.urlencoded({ extended: true }));
  const url = listen(app.use('/omi', toNodeHandler(echo)));

  test.each([
    'to%5Biban%5D=DE&to%5Bname%5D=Zo%C3%AB+%26+co',
    'items%5B0%5D%5Bamount%5D=1&items%5B1%5D%5Bamount%5D=2',
    'x%5B%5D=a&x%5B%5D=b+c',
    'x%5B0%5D=a&x%5B1%5D=b',
    'x=a&x=b+c',
    'amount=20',
    '',
  ])('passes on the same form: %s', async (body) => {
    const answer = await call(`${await url}/omi/x`, { method: 'POST', headers: form, body });
    expect(answer).toMatchObject({ body });
  });

  test.each(['__proto__=1&amount=20', 'x%5B%5D=a&y=b&y=c', 'x=a&x%5B%5D=b'])(
    'refuses a form of which something is lost: %s',
    async (body) => {
      const answer = await call(`${await url}/omi/x`, { method: 'POST', headers: form, body });
      expect(answer).toMatchObject({ code: 'invalid-request', status: 400 });
    },
  );
});

test('reads the body that a parser of Express 4 left unread, with an empty object in its place', async () => {
  const handler = toNodeHandler(echo);
  const url = await listen(
    (request, response) => void handler(Object.assign(request, { body: {} }), response),
  );
  expect(await call(url, { method: 'POST', headers: form, body: 'amount=20' })).toMatchObject({
    body: 'amount=20',
  });
});

test.each<[string, (request: IncomingMessage) => Promise<object>, string]>([
  ['has read and kept elsewhere', async (request) => ({ kept: await text(request) }), form['content-type']],
  [
    'has read by another type than it was sent as',
    async (request) => ({ body: { amount: await text(request) } }),
    'text/plain',
  ],
  [
    'of Express 4 has read and left an empty object for',
    async (request) => {
      await text(request);
      return { body: {} };
    },
    form['content-type'],
  ],
])('refuses a form that a parser %s', async (_, parse, type) => {
  const handler = toNodeHandler(echo);
  const url = await listen((request, response) => {
    void parse(request).then((read) => handler(Object.assign(request, read), response));
  });
  const answer = await call(url, { method: 'POST', headers: { 'content-type': type }, body: 'amount=20' });
  expect(answer).toMatchObject({ code: 'invalid-request', status: 400 });
});

test('takes the bytes that a framework keeps beside what it parsed', async () => {
  const url = await listen((request, response) => {
    void text(request).then((sent) => {
      const read = { body: { to: ['a'] }, rawBody: Buffer.from(sent) };
      void toNodeHandler(echo)(Object.assign(request, read), response);
    });
  });
  expect(await call(url, { method: 'POST', headers: form, body: 'to[]=a' })).toMatchObject({
    body: 'to[]=a',
  });
});

test('knows the type of a form that a parser has read, in any case of its letters', async () => {
  const url = await listen(expressWithParsers());
  const headers = { 'content-type': 'APPLICATION/X-WWW-FORM-URLENCODED' };
  expect(await call(`${url}/omi/x`, { method: 'POST', headers, body: 'amount=20' })).toMatchObject({
    body: 'amount=20',
  });
});

test('refuses a form of which a framework without a stream has nothing', () => {
  const headers = { ...form, host: 'bank.example', 'content-length': '9' };
  expect(() => toRequest({ method: 'POST', url: '/x', headers })).toThrow(
    expect.objectContaining({ code: 'invalid-request' }),
  );
});

describe('toRequest', () => {
  const bare = { method: 'POST', url: '/x', headers: { host: 'bank.example' } };
  const express4 = { param: () => undefined, host: 'bank.example' };

  test.each<[string, Partial<NodeRequest>, string]>([
    [
      'the properties of Express and Fastify',
      { protocol: 'https', host: 'www.bank.example' },
      'https://www.bank.example/x',
    ],
    [
      'the header in Express 4, whose host has no port',
      { ...express4, headers: { host: 'bank.example:8443' }, hostname: 'bank.example' },
      'http://bank.example:8443/x',
    ],
    [
      'a trusted proxy before Express 4',
      { ...express4, hostname: 'www.bank.example' },
      'http://www.bank.example/x',
    ],
    [
      'a trusted proxy before Express 4 that has the same name without a port',
      {
        ...express4,
        headers: { host: 'bank.example:3000', 'x-forwarded-host': 'bank.example' },
        hostname: 'bank.example',
      },
      'http://bank.example/x',
    ],
    ['the socket', { socket: { encrypted: true } }, 'https://bank.example/x'],
    ['nothing', {}, 'http://bank.example/x'],
    ['the whole path', { originalUrl: '/omi/x' }, 'http://bank.example/omi/x'],
    ['a path with two slashes', { url: '//evil.example/x' }, 'http://bank.example//evil.example/x'],
  ])('takes the URL from %s', (_, more, url) => {
    expect(toRequest({ ...bare, ...more }).url).toBe(url);
  });

  /** A form as it is sent, and what a parser such as multer makes of its fields. */
  async function parsed(
    fields: [string, string | Blob][],
    body: object,
    isChunked = false,
  ): Promise<Request> {
    const sent = new FormData();
    for (const [name, value] of fields) sent.append(name, value);
    const whole = new Request('http://x', { method: 'POST', body: sent });
    const type = whole.headers.get('content-type') ?? '';
    const length = String((await whole.arrayBuffer()).byteLength);
    return toRequest({
      ...bare,
      headers: { ...bare.headers, 'content-type': type, ...(!isChunked && { 'content-length': length }) },
      body,
    });
  }

  test('passes on the fields of a form with files that a parser has read', async () => {
    const request = await parsed(
      [
        ['amount', '20'],
        ['to[]', 'Zoë'],
        ['to[]', 'b'],
        ['by["how"]', 'x'],
      ],
      { amount: '20', to: ['Zoë', 'b'], by: { '"how"': 'x' } },
    );
    expect(request.headers.has('content-length')).toBe(false);
    const text = await request.text();
    for (const field of [
      '"amount"\r\n\r\n20',
      '"to[]"\r\n\r\nZoë',
      '"to[]"\r\n\r\nb',
      '"by[%22how%22]"\r\n\r\nx',
    ])
      expect(text).toContain(`name=${field}\r\n`);
  });

  test.each(['with its length', 'in chunks'])(
    'refuses a form whose files a parser kept, sent %s',
    async (how) => {
      const file = new Blob(['%PDF']);
      await expect(
        parsed(
          [
            ['amount', '20'],
            ['invoice', file],
          ],
          { amount: '20' },
          how === 'in chunks',
        ),
      ).rejects.toThrow(/Mount these routes before the parser/);
    },
  );

  test('passes on bytes, and ignores what a parser sets when there is no body', async () => {
    const headers = { ...bare.headers, 'content-type': 'application/json' };
    expect(await toRequest({ ...bare, headers, body: Buffer.from('{}') }).text()).toBe('{}');
    expect(await toRequest({ ...bare, body: {} }).text()).toBe('');
    expect(await toRequest({ ...bare, body: null }).text()).toBe('');
  });

  test.each(['http://evil.example/', '*', 'x', ''])('does not accept %j as a path', (url) => {
    expect(() => toRequest({ ...bare, url })).toThrow(Denied);
  });
});

describe('toNodeHandler', () => {
  test('answers an invalid host instead of failing', async () => {
    const { port } = new URL(await listen((...exchange) => void toNodeHandler(echo)(...exchange)));
    const request = send({ port, path: '/', headers: { host: 'a b' } }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    expect(await text(response)).toContain('invalid-request');
  });

  test('answers a method that no web request has, instead of failing', async () => {
    const { port } = new URL(await listen((...exchange) => void toNodeHandler(echo)(...exchange)));
    const request = send({ port, path: '/', method: 'TRACE' }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(405);
    expect(await text(response)).toContain('method-not-allowed');
  });

  test('answers a denial, and passes every other fault to Express', async () => {
    const app = express();
    app.use(
      '/denied',
      toNodeHandler(() => Promise.reject(new Denied('No.'))),
    );
    app.use(
      '/fault',
      toNodeHandler(() => Promise.reject(new Error('fault'))),
    );
    const told: unknown[] = [];
    const tell: express.ErrorRequestHandler = (error, _request, response, next) => {
      if (error === undefined) next();
      told.push(error);
      response.sendStatus(500);
    };
    const url = await listen(app.use(tell));
    expect((await fetch(`${url}/denied`)).status).toBe(403);
    expect(told).toEqual([]);
    expect((await fetch(`${url}/fault`)).status).toBe(500);
    expect(told).toEqual([new Error('fault')]);
  });

  test('rejects if nobody handles a fault', async () => {
    const handler = toNodeHandler(() => Promise.reject(new Error('fault')));
    const response = { statusCode: 0, setHeader: () => undefined, end: () => undefined };
    await expect(handler({ url: '/', headers: { host: 'a' } }, response)).rejects.toThrow('fault');
  });

  test('reads only what is requested, and the connection stays open', async () => {
    const answer = async (request: Request): Promise<Response> => {
      const reader = request.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return new Response(null, { status: 413 });
    };
    const url = await listen((...exchange) => void toNodeHandler(answer)(...exchange));
    const body = 'x'.repeat(5_000_000);
    for (let time = 0; time < 2; time += 1)
      expect((await fetch(url, { method: 'POST', body })).status).toBe(413);
  });

  test('sends bytes and several cookies', async () => {
    const headers = [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ] as [string, string][];
    const answer = async () => await Promise.resolve(new Response(new Uint8Array([0, 255]), { headers }));
    const url = await listen((...exchange) => void toNodeHandler(answer)(...exchange));
    const response = await fetch(url);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255]));
  });

  test('serves HTTP/2', async () => {
    const server = createHttp2Server((...exchange) => void toNodeHandler(echo)(...exchange));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = client.request({ ':method': 'POST', ':path': '/omi/x', ...json });
    stream.end('{"a":1}');
    expect(JSON.parse(await text(stream))).toMatchObject({ method: 'POST', url: '/omi/x', body: '{"a":1}' });
    client.close();
    server.close();
  });
});
