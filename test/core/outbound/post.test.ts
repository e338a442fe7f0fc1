import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { post } from '../../../core/outbound/post.ts';
import { publicLookup } from '../../../core/outbound/public-lookup.ts';

let requests: string[] = [];
let origin: string;
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
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
