import { describe, expect, test } from '@jest/globals';
import { gatewayWith, send } from './gateway.ts';

const mebibyteBytes = 1024 * 1024;
const headed = async (url: string, headers: Record<string, string>) => (await send(url, { headers })).status;

test('a request without a route is answered with 404', async () => {
  const { status, text, headers } = await send(await gatewayWith(), { path: '/omi/nothing' });
  expect({ status, text }).toEqual({ status: 404, text: '{"message":"Not Found"}' });
  expect(headers['content-type']).toBe('application/json');
  expect(headers['apigw-requestid']).toBeDefined();
});

test('a preflight request has no route, because CORS is off', async () => {
  const { status, headers } = await send(await gatewayWith(), { method: 'OPTIONS' });
  expect(status).toBe(404);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

test('a body may have 10 MB', async () => {
  const url = await gatewayWith({ echo: () => ({ statusCode: 202 }) });
  const post = async (size: number) => await send(url, { method: 'POST', body: Buffer.alloc(size, 'a') });
  expect((await post(10 * mebibyteBytes)).status).toBe(202);
  const { status, text } = await post(10 * mebibyteBytes + 1);
  expect({ status, text }).toEqual({ status: 413, text: '{"message":"Request Entity Too Large"}' });
});

test('request line and header values may have 10,240 bytes together', async () => {
  const url = await gatewayWith();
  const others = 'GET /omi/echo HTTP/1.1'.length + new URL(url).host.length + 'close'.length;
  const valueOf = (size: number) => ({ 'x-large': 'a'.repeat(size - others) });
  expect(await headed(url, valueOf(10_240))).toBe(200);
  const { status, text } = await send(url, { headers: valueOf(10_241) });
  expect({ status, text }).toEqual({ status: 431, text: '{"message":"Request Header Fields Too Large"}' });
});

describe('a route', () => {
  test('allows a burst, then its rate', async () => {
    const clock = { now: 0 };
    const throttles = { 'GET /omi/echo': { rate: 2, burst: 3 } };
    const url = await gatewayWith({}, { throttles, now: () => clock.now });
    const statuses = async (count: number) => {
      const all: number[] = [];
      for (let index = 0; index < count; index += 1) all.push((await send(url)).status);
      return all;
    };
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
    clock.now += 500;
    expect(await statuses(2)).toEqual([200, 429]);
    clock.now += 60_000;
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
    expect((await send(url)).text).toBe('{"message":"Too Many Requests"}');
    expect((await send(url, { method: 'POST' })).status).toBe(200);
  });

  test('allows much more than a person can send by default', async () => {
    const url = await gatewayWith({}, { now: () => 0 });
    const answers = await Promise.all(Array.from({ length: 200 }, async () => await send(url)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe('the gateway on loopback', () => {
  test('accepts its own names', async () => {
    const url = await gatewayWith();
    const { port } = new URL(url);
    for (const name of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect(await headed(url, { host: name, origin: `http://${name}` })).toBe(200);
  });

  test.each([
    ['host', 'attacker.example'],
    ['host', '127.0.0.1:1'],
    ['origin', 'https://attacker.example'],
    ['origin', 'null'],
  ])('rejects a foreign %s: %s', async (header, value) => {
    const { status, text } = await send(await gatewayWith(), { headers: { [header]: value } });
    expect(status).toBe(403);
    expect(JSON.parse(text)).toEqual({ message: expect.any(String) });
  });
});
