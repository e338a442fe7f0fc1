import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { post, type OutboundRequest } from '../../../core/outbound/post.ts';
import { publicLookup } from '../../../core/outbound/public-lookup.ts';
import { accepting, Receiver } from '../../support/receiver.ts';

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
    signal: AbortSignal.timeout(10_000),
    localOrigin,
    ...options,
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

  test('whose answer is read and has no end is over with its first 16 KB, and its connection is closed', async () => {
    const { body } = await postTo(`${origin}/endless`, origin, { readsBody: true });
    expect(body).toHaveLength(16 * 1024);
    while (!endlessClosed) await wait(5);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('whose answer breaks off is over with its status, and fails if the answer is read', async () => {
    expect(await postTo(`${origin}/cut`, origin)).toMatchObject({ status: 200 });
    await expect(postTo(`${origin}/cut`, origin, { readsBody: true })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
  });

  test('whose answer changes the protocol is over with its status, and its connection is closed', async () => {
    expect(await postTo(`${origin}/upgrade`, origin)).toEqual({ status: 101, retryAfter: undefined });
    while (!upgradedClosed) await wait(5);
  });

  test('that is not answered ends with its time', async () => {
    const silent = postTo(`${origin}/silent`, origin, { signal: AbortSignal.timeout(100) });
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

  test('over a kept connection that is answered with something else is not made again', async () => {
    await postTo(`${origin}/a`, origin);
    await expect(postTo(`${origin}/no-http`, origin)).rejects.toMatchObject({
      code: 'HPE_INVALID_CONSTANT',
    });
    expect(requests).toEqual(['POST /a', 'POST /no-http']);
  });

  test('of any port of 127.0.0.1 is made where the local stack allows it, and of no other address', async () => {
    const local = async (address: string) => await postTo(address, undefined, { allowsLoopback: true });
    expect(await local(`${origin}/a`)).toMatchObject({ status: 201 });
    for (const address of ['http://localhost:1/', 'http://10.0.0.1/', 'http://127.0.0.2/', 'http://[::1]/'])
      await expect(local(address)).rejects.toMatchObject({ name: 'NotPublic' });
  });

  test('of 127.0.0.1 over TLS is made where the local stack allows it, if its certificate is trusted', async () => {
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

  test('of a public address needs no name', async () => {
    // Ends the call after the check and before the connection.
    const unsendable = { headers: { 'not a header': '' } };
    for (const address of ['https://8.8.8.8/', 'https://[2606:4700::1111]/'])
      await expect(postTo(address, undefined, unsendable)).rejects.toMatchObject({
        code: 'ERR_INVALID_HTTP_TOKEN',
      });
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

  test('with public addresses leads to them', async () => {
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
  ])('is refused for %j', async (addresses) => {
    for (const all of [true, false])
      await expect(lookedUp(addresses, all)).rejects.toMatchObject({ name: 'NotPublic' });
  });

  test('that does not exist is told as such', async () => {
    const missing = Object.assign(new Error('getaddrinfo ENOTFOUND host'), { code: 'ENOTFOUND' });
    await expect(told(true, (_, __, found) => found(missing))).rejects.toBe(missing);
  });
});
