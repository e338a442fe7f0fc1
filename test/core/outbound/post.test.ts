import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { post } from '../../../core/outbound/post.ts';
import { publicLookup } from '../../../core/outbound/public-lookup.ts';

let requests: string[] = [];
let origin: string;
let sent = 0;
let endlessClosed = false;
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
  if (request.url === '/upgrade') {
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
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const postTo = async (address: string, localOrigin?: string) =>
  await post({
    url: new URL(address),
    headers: {},
    body: Buffer.from('x'),
    signal: AbortSignal.timeout(10_000),
    localOrigin,
  });

describe('a call', () => {
  test('of the origin that may be local arrives', async () => {
    expect(await postTo(`${origin}/a`, origin)).toEqual({ status: 201, retryAfter: undefined });
    expect(requests).toEqual(['POST /a']);
  });

  test('follows no redirect', async () => {
    expect(await postTo(`${origin}/redirect`, origin)).toMatchObject({ status: 307 });
    expect(requests).toEqual(['POST /redirect']);
  });

  test('tells when the host wants to be called again', async () => {
    expect(await postTo(`${origin}/later`, origin)).toEqual({ status: 201, retryAfter: '2' });
  });

  test('whose answer has no end is over with its status, and its connection is closed', async () => {
    expect(await postTo(`${origin}/endless`, origin)).toMatchObject({ status: 200 });
    while (!endlessClosed) await wait(5);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('whose answer changes the protocol is over with its status', async () => {
    expect(await postTo(`${origin}/upgrade`, origin)).toEqual({ status: 101, retryAfter: undefined });
  });

  test('that is not answered ends with its time', async () => {
    const silent = post({
      url: new URL(`${origin}/silent`),
      headers: {},
      body: Buffer.from('x'),
      signal: AbortSignal.timeout(100),
      localOrigin: origin,
    });
    await expect(silent).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('over a new connection that ends is not made again', async () => {
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

  test('over a connection that the other side has closed is made again', async () => {
    for (let call = 1; call <= 3; call += 1)
      expect(await postTo(`${origin}/once`, origin)).toMatchObject({ status: 201 });
    expect(requests.filter((one) => one === 'POST /once')).toHaveLength(4);
  });

  test('of any port of 127.0.0.1 is made where the local stack allows it, and of no other address', async () => {
    const local = async (address: string) =>
      await post({
        url: new URL(address),
        headers: {},
        body: Buffer.from('x'),
        signal: AbortSignal.timeout(10_000),
        allowsLoopback: true,
      });
    expect(await local(`${origin}/a`)).toMatchObject({ status: 201 });
    for (const address of ['http://localhost:1/', 'http://10.0.0.1/', 'http://127.0.0.2/', 'http://[::1]/'])
      await expect(local(address)).rejects.toMatchObject({ name: 'NotPublic' });
  });

  test('of another port of this machine is refused', async () => {
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
  ])('of %s is refused', async (address) => {
    await expect(postTo(address)).rejects.toMatchObject({ name: 'NotPublic' });
  });
});

describe('a name', () => {
  const lookedUp = async (addresses: LookupAddress[], all = true) =>
    await new Promise((resolve, reject) => {
      const resolver = ((_: string, __: object, found: (error: null, addresses: LookupAddress[]) => void) =>
        found(null, addresses)) as unknown as NonNullable<Parameters<typeof publicLookup>[3]>;
      publicLookup('host', { all }, (error, address) => (error ? reject(error) : resolve(address)), resolver);
    });
  const outside = { address: '8.8.8.8', family: 4 };

  test('with public addresses leads to them', async () => {
    const other = { address: '2606:4700::1111', family: 6 };
    expect(await lookedUp([outside, other])).toEqual([outside, other]);
    expect(await lookedUp([outside], false)).toBe('8.8.8.8');
  });

  test.each([
    [[]],
    [[{ address: '10.0.0.1', family: 4 }]],
    [[outside, { address: '169.254.169.254', family: 4 }]],
    [[outside, { address: '::1', family: 6 }]],
    [[{ address: '64:ff9b::a00:1', family: 6 }, outside]],
  ])('is refused for %j', async (addresses) => {
    await expect(lookedUp(addresses)).rejects.toMatchObject({ name: 'NotPublic' });
  });
});
