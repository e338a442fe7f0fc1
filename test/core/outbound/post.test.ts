import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { post, type OutboundRequest } from '../../../core/outbound/post.ts';
import { publicLookup } from '../../../core/outbound/public-lookup.ts';
import { accepting, Receiver } from '../../support/receiver.ts';
import { longestWaitMs } from '../../support/waiting.ts';

let requests: string[] = [];
let origin: string;
let sent = 0;
let endlessClosed = false;
let upgradedClosed = false;
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  if (request.url === '/endless') {
    response.writeHead(200);
    const chunk = Buffer.alloc(64 * 1024);
    const write = () => {
      do sent += chunk.length;
      while (response.write(chunk));
    };
    response.on('drain', write).on('close', () => (endlessClosed = true));
    write();
    return;
  }
  if (request.url === '/silent') return;
  if (request.url === '/no-http') {
    request.socket.end('no HTTP\r\n\r\n');
    return;
  }
  if (request.url === '/cut') {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half ', () => request.socket.destroy());
    return;
  }
  if (request.url === '/upgrade') {
    request.socket.on('close', () => (upgradedClosed = true));
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    return;
  }
  if (request.url === '/once' && requests.filter((one) => one.endsWith('/once')).length === 2) {
    request.socket.resetAndDestroy();
    return;
  }
  const headers = { location: '/elsewhere', ...(request.url === '/later' && { 'retry-after': '2' }) };
  response.writeHead(request.url === '/redirect' ? 307 : 201, headers).end();
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = [];
  sent = 0;
  endlessClosed = false;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const postTo = async (address: string, localOrigin?: string, options: Partial<OutboundRequest> = {}) =>
  await post({
    url: new URL(address),
    headers: {},
    body: Buffer.from('x'),
    signal: AbortSignal.timeout(longestWaitMs),
    localOrigin,
    ...options,
  });

describe('a call', () => {
  test('reaches the one origin that may be local', async () => {
    expect(await postTo(`${origin}/a`, origin)).toEqual({ status: 201, retryAfter: undefined });
    expect(requests).toEqual(['POST /a']);
  });

  test('follows no redirect', async () => {
    expect(await postTo(`${origin}/redirect`, origin)).toMatchObject({ status: 307 });
    expect(requests).toEqual(['POST /redirect']);
  });

  test('reports when the host wants to be called again', async () => {
    expect(await postTo(`${origin}/later`, origin)).toEqual({ status: 201, retryAfter: '2' });
  });

  test('ends with the status when the answer has no end, and closes the connection', async () => {
    expect(await postTo(`${origin}/endless`, origin)).toMatchObject({ status: 200 });
    while (!endlessClosed) await wait(5);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('ends with the first 16 KB when the answer is read and has no end, and closes the connection', async () => {
    const { body } = await postTo(`${origin}/endless`, origin, { readsBody: true });
    expect(body).toHaveLength(16 * 1024);
    while (!endlessClosed) await wait(5);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('has the first 1 KB of a refusal that is long, and what came in a moment of one that has no end', async () => {
    const refusing = createServer((request, response) => {
      response.writeHead(request.url === '/ok' ? 200 : 500);
      response.write(request.url === '/long' ? 'x'.repeat(5_000) : 'begin');
    });
    await once(refusing.listen(0, '127.0.0.1'), 'listening');
    const own = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    const ask = async (path: string) => await postTo(`${own}${path}`, own, { excerptsRefusals: true });
    try {
      expect((await ask('/long')).body).toHaveLength(1024);
      expect(await ask('/hanging')).toMatchObject({ status: 500, body: 'begin' });
      expect(await ask('/ok')).toEqual({ status: 200, retryAfter: undefined });
    } finally {
      refusing.closeAllConnections();
      refusing.close();
    }
  });

  test('ends with the status when the answer breaks off, and fails if the answer is read', async () => {
    expect(await postTo(`${origin}/cut`, origin)).toMatchObject({ status: 200 });
    await expect(postTo(`${origin}/cut`, origin, { readsBody: true })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
  });

  test('ends with the status when the answer changes the protocol, and closes the connection', async () => {
    expect(await postTo(`${origin}/upgrade`, origin)).toEqual({ status: 101, retryAfter: undefined });
    while (!upgradedClosed) await wait(5);
  });

  test('ends after its time limit without an answer', async () => {
    const silent = postTo(`${origin}/silent`, origin, { signal: AbortSignal.timeout(100) });
    await expect(silent).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('is not repeated when a new connection ends', async () => {
    const lost = createServer(({ socket }) => {
      requests.push('lost');
      socket.resetAndDestroy();
    });
    await once(lost.listen(0, '127.0.0.1'), 'listening');
    const { port } = lost.address() as AddressInfo;
    const own = `http://127.0.0.1:${port}`;
    try {
      await expect(postTo(`${own}/`, own)).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(requests).toEqual(['lost']);
    } finally {
      lost.close();
    }
  });

  test('is repeated when the other side has closed a kept connection', async () => {
    for (let call = 1; call <= 3; call += 1)
      expect(await postTo(`${origin}/once`, origin)).toMatchObject({ status: 201 });
    expect(requests.filter((one) => one === 'POST /once')).toHaveLength(4);
  });

  test('is not repeated when a kept connection answers with something else', async () => {
    await postTo(`${origin}/a`, origin);
    await expect(postTo(`${origin}/no-http`, origin)).rejects.toMatchObject({
      code: 'HPE_INVALID_CONSTANT',
    });
    expect(requests).toEqual(['POST /a', 'POST /no-http']);
  });

  test('reaches any port of 127.0.0.1 where the local stack allows it, and no other address', async () => {
    const local = async (address: string) => await postTo(address, undefined, { allowsLoopback: true });
    expect(await local(`${origin}/a`)).toMatchObject({ status: 201 });
    for (const address of ['http://localhost:1/', 'http://10.0.0.1/', 'http://127.0.0.2/', 'http://[::1]/'])
      await expect(local(address)).rejects.toMatchObject({ name: 'NotPublic' });
  });

  test('reaches 127.0.0.1 over TLS where the local stack allows it, if the certificate is trusted', async () => {
    const receiver = await Receiver.start(accepting, { certificate: 'self-signed' });
    try {
      await expect(postTo(receiver.url, undefined, { allowsLoopback: true })).rejects.toMatchObject({
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      });
      expect(receiver.calls).toEqual([]);
    } finally {
      await receiver.close();
    }
  });

  test('reaches a public address without a name', async () => {
    // Ends the call after the check and before the connection.
    const unsendable = { headers: { 'not a header': '' } };
    for (const address of ['https://8.8.8.8/', 'https://[2606:4700::1111]/'])
      await expect(postTo(address, undefined, unsendable)).rejects.toMatchObject({
        code: 'ERR_INVALID_HTTP_TOKEN',
      });
  });

  test('is refused for another port of this machine', async () => {
    await expect(postTo(`${origin}/a`, 'http://127.0.0.1:1')).rejects.toMatchObject({ name: 'NotPublic' });
    await expect(postTo(`${origin}/a`)).rejects.toMatchObject({ name: 'NotPublic' });
    expect(requests).toEqual([]);
  });

  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0x7f000001/',
    'https://localhost/',
    'http://example.com/',
    'https://example.com:8443/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:a00:1::]/',
    'https://2130706433/',
    'https://017700000001/',
  ])('is refused for %s', async (address) => {
    await expect(postTo(address)).rejects.toMatchObject({ name: 'NotPublic' });
  });
});

describe('a name', () => {
  type Resolve = NonNullable<Parameters<typeof publicLookup>[3]>;
  type Found = (error: Error | null, ...answer: unknown[]) => void;

  /** What a connection is told of a name that is resolved so. */
  const told = async (all: boolean, resolver: (host: string, options: LookupOptions, found: Found) => void) =>
    await new Promise((resolve, reject) => {
      const tell: Found = (error, ...answer) => (error ? reject(error) : resolve(answer));
      publicLookup('host', { all }, tell, resolver as unknown as Resolve);
    });
  const lookedUp = async (addresses: LookupAddress[], all = true) => {
    const [{ address, family } = { address: '', family: 0 }] = addresses;
    return await told(all, (_, options, found) =>
      options.all === true ? found(null, addresses) : found(null, address, family),
    );
  };
  const outside = { address: '8.8.8.8', family: 4 };

  test('leads to its public addresses', async () => {
    const other = { address: '2606:4700::1111', family: 6 };
    expect(await lookedUp([outside, other])).toEqual([[outside, other]]);
    expect(await lookedUp([outside, other], false)).toEqual(['8.8.8.8', 4]);
  });

  test.each([
    [[]],
    [[{ address: '10.0.0.1', family: 4 }]],
    [[outside, { address: '169.254.169.254', family: 4 }]],
    [[outside, { address: '::1', family: 6 }]],
    [[{ address: '64:ff9b::a00:1', family: 6 }, outside]],
  ])('is refused with the addresses %j', async (addresses) => {
    for (const all of [true, false])
      await expect(lookedUp(addresses, all)).rejects.toMatchObject({ name: 'NotPublic' });
  });

  test('is reported as missing if it does not exist', async () => {
    const missing = Object.assign(new Error('getaddrinfo ENOTFOUND host'), { code: 'ENOTFOUND' });
    await expect(told(true, (_, __, found) => found(missing))).rejects.toBe(missing);
  });
});
