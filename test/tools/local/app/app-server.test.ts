import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { appHeaders } from '../../../../pages/app/headers.ts';
import { readAppFiles, startAppServer } from '../../../../tools/local/app/app-server.ts';
import type { OriginServer } from '../../../../tools/local/origin/origin-server.ts';
import { StartError } from '../../../../tools/local/command/start-error.ts';
import { type LoopbackServer, serveLoopback } from '../../../../tools/local/server/loopback-server.ts';

const page = '<!doctype html><title>App</title>';
const baseUrl = 'https://omi.example.com';

let directory: string;
let api: LoopbackServer;
let app: OriginServer;

/** An API that answers with what reached it. */
const startApi = async (): Promise<LoopbackServer> =>
  await serveLoopback((incoming, response) => {
    void text(incoming).then((body) => {
      const { method, url, headers } = incoming;
      response.writeHead(201, { 'content-type': 'application/json', 'retry-after': '7' });
      response.end(JSON.stringify({ method, url, headers, body }));
    });
  });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'omi-app-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), page);
  await writeFile(join(directory, 'service-worker.js'), '"worker"');
  await writeFile(join(directory, 'assets', 'main-ABCD.js'), '"main"');
  api = await startApi();
  app = await startAppServer({ port: 0, apiUrl: api.url });
});
afterAll(async () => {
  await app.close();
  await api.close();
  await rm(directory, { recursive: true });
});

test('the app server answers 503 until the app is built', async () => {
  expect((await fetch(app.url)).status).toBe(503);
  app.open({ files: await readAppFiles(directory, { baseUrl }) });
  expect((await fetch(app.url)).status).toBe(200);
});

describe('the app', () => {
  test.each(['/', '/enrol', '/enrol?x=y', '/index.html'])('serves the page at %s', async (path) => {
    const response = await fetch(app.url + path);
    expect(await response.text()).toBe(page);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  test('serves assets as immutable, because their names have a hash', async () => {
    const response = await fetch(`${app.url}/assets/main-ABCD.js`);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(response.headers.get('content-type')).toContain('text/javascript');
    expect(await response.text()).toBe('"main"');
  });

  test('makes browsers always ask for the service worker', async () => {
    const response = await fetch(`${app.url}/service-worker.js`);
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  test('serves the base URL in /config.json', async () => {
    const response = await fetch(`${app.url}/config.json`);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.json()).toEqual({ baseUrl });
  });

  test.each(['/', '/assets/main-ABCD.js', '/config.json', '/nothing'])(
    'serves %s with the security headers of the deployed app, except the one for all ports of this machine',
    async (path) => {
      const { headers } = await fetch(app.url + path);
      const { 'Strict-Transport-Security': forAllPorts, ...others } = appHeaders;
      for (const [name, value] of Object.entries(others))
        expect([name, headers.get(name)]).toEqual([name, value]);
      expect([forAllPorts === undefined, headers.get('strict-transport-security')]).toEqual([false, null]);
    },
  );

  test.each([
    '/nothing',
    '/assets/',
    '/../package.json',
    '/%2e%2e/package.json',
    '/omi/push/user/anna',
    '//[',
  ])('answers 404 to %s', async (path) => {
    expect((await answerTo({ path })).status).toBe(404);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('rejects %s', async (method) => {
    const { status, headers } = await fetch(`${app.url}/index.html`, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('is compressed for clients that accept it', async () => {
    const plain = await answerTo({ path: '/' });
    expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, page]);
    const zipped = await answerTo({ path: '/', headers: { 'accept-encoding': 'gzip, br' } });
    expect([zipped.headers['content-encoding'], gunzipSync(zipped.body).toString()]).toEqual(['gzip', page]);
    expect(zipped.headers.vary).toBe('accept-encoding');
  });

  test('answers HEAD with the headers of GET', async () => {
    const { status, headers, body } = await answerTo({ path: '/', method: 'HEAD' });
    expect([status, headers['content-length'], body.length]).toEqual([200, String(page.length), 0]);
  });

  test('redirects from an IP address, which cannot have passkeys, to localhost', async () => {
    const { port } = new URL(app.url);
    const { status, headers } = await answerTo({ path: '/enrol', headers: { host: `127.0.0.1:${port}` } });
    expect([status, headers.location]).toEqual([308, `${app.url}/enrol`]);
  });
});

type Asked = { path: string; method?: string; headers?: Record<string, string>; host?: string };

/** fetch does not let a caller choose the Host header or the exact path, nor read a compressed body. */
async function answerTo({ path, method = 'GET', headers = {}, host = '127.0.0.1' }: Asked) {
  const { port, host: own } = new URL(app.url);
  const sent = request({ host, port, path, method, headers: { host: own, ...headers }, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

describe('calls of devices', () => {
  test('reach the API as they are, with its host and without an origin', async () => {
    const response = await fetch(`${app.url}/omi/device/enrolments?a=%20b`, {
      method: 'POST',
      headers: { 'content-type': 'application/jose', origin: app.url, authorization: 'OMI-Device x' },
      body: 'jws',
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([201, '7']);
    const arrived = (await response.json()) as { headers: Record<string, string> };
    expect(arrived.headers).not.toHaveProperty('origin');
    expect(arrived).toMatchObject({
      method: 'POST',
      url: '/omi/device/enrolments?a=%20b',
      body: 'jws',
      headers: {
        host: new URL(api.url).host,
        'content-type': 'application/jose',
        authorization: 'OMI-Device x',
        'x-forwarded-for': expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      },
    });
  });

  test('include the removal of the device, whose path is their root', async () => {
    const response = await fetch(`${app.url}/omi/device`, { method: 'DELETE' });
    expect(await response.json()).toMatchObject({ method: 'DELETE', url: '/omi/device' });
  });

  test.each(['/omi/devices', '/omi/users/anna/devices', '/omi/enrol/qr', '/omi/deviceX'])(
    'do not include %s',
    async (path) => {
      expect((await fetch(app.url + path)).status).toBe(404);
    },
  );

  test('get no headers that let other origins read the answer', async () => {
    const { headers } = await fetch(`${app.url}/omi/device/settings`);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('get 502 while the API does not answer', async () => {
    const gone = await startApi();
    await gone.close();
    const alone = await startAppServer({ port: 0, apiUrl: gone.url });
    const { status } = await fetch(`${alone.url}/omi/device/settings`);
    await alone.close();
    expect(status).toBe(502);
  });
});

const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === '::1');

describe('the server', () => {
  test('answers at both addresses of localhost', async () => {
    for (const host of ['127.0.0.1', ...(hasIpv6() ? ['::1'] : [])])
      expect((await answerTo({ path: '/', host })).status).toBe(200);
  });

  test.each([
    ['a foreign Host', { host: 'attacker.example' }],
    ['another port', { host: 'localhost:1' }],
    ['a foreign Origin', { origin: 'https://attacker.example' }],
    ['an origin without a name', { origin: 'null' }],
  ])('refuses %s', async (_, headers) => {
    for (const path of ['/', '/config.json', '/omi/device/settings'])
      expect((await answerTo({ path, headers })).status).toBe(403);
  });

  test('accepts the host and the origin of the proxy in front of it, and no others', async () => {
    const publicUrl = 'https://app.example.com';
    const own = app;
    app = await startAppServer({ port: 0, apiUrl: api.url, publicUrl });
    app.open({ files: await readAppFiles(directory, { baseUrl }) });
    const { port } = new URL(app.address);
    const get = async (headers: Record<string, string>) => {
      const sent = request({ host: '127.0.0.1', port, path: '/', headers, agent: false }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    const statuses = await Promise.all([
      get({ host: 'app.example.com', origin: publicUrl }),
      // Some proxies send the address that they call.
      get({ host: `127.0.0.1:${port}`, origin: publicUrl }),
      get({ host: 'app.example.com', origin: 'https://other.example.com' }),
      get({ host: 'other.example.com' }),
    ]);
    const { url } = app;
    await app.close();
    app = own;
    expect([url, statuses]).toEqual([publicUrl, [200, 200, 403, 403]]);
  });

  test.each(['127.0.0.1', '::1'])('names a port that is in use at %s', async (address) => {
    if (address === '::1' && !hasIpv6()) return;
    const other = createServer().listen(0, address);
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const starting = startAppServer({ port, apiUrl: api.url });
    await expect(starting).rejects.toThrow(StartError);
    await expect(starting).rejects.toThrow(`Port ${port} is in use by another program.`);
    other.close();
  });
});
