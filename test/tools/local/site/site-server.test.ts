import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { StartError } from '../../../../tools/local/command/start-error.ts';
import type { OriginServer } from '../../../../tools/local/origin/origin-server.ts';
import { type LoopbackServer, serveLoopback } from '../../../../tools/local/server/loopback-server.ts';
import { programOf, readSiteFiles, startSiteServer } from '../../../../tools/local/site/site-server.ts';
import { siteHeaders } from '../../../../pages/bank/headers.ts';

const config = {
  baseUrl: 'http://api',
  appUrl: 'http://app',
  tenantId: 'tenant',
  tenantName: 'Demo',
  hasOwnUsers: false,
  hasEvents: true,
};

let directory: string;
let api: LoopbackServer;
let site: OriginServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'omi-site-'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>Bank</title>');
  api = await serveLoopback(({ url, headers }, response) =>
    response.end(JSON.stringify({ url, origin: headers.origin })),
  );
  site = await startSiteServer({ port: 0, apiUrl: api.url });
});
afterAll(async () => {
  await site.close();
  await api.close();
  await rm(directory, { recursive: true });
});

test('the demo bank answers 503 until it is open', async () => {
  expect((await fetch(`${site.url}/bank/users`)).status).toBe(503);
  const bank = programOf((incoming, response) => response.end(`bank ${incoming.url ?? ''}`));
  site.open({ files: await readSiteFiles(directory, config), program: bank });
  expect((await fetch(`${site.url}/bank/users`)).status).toBe(200);
});

describe('the open demo bank', () => {
  test.each(['/', '/index.html'])('serves the page at %s', async (path) => {
    const response = await fetch(site.url + path);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(await response.text()).toContain('Bank');
  });

  test('serves /config.json with what the page must know', async () => {
    expect(await (await fetch(`${site.url}/config.json`)).json()).toEqual(config);
  });

  test.each(['/bank/session', '/step-up/devices'])('answers %s itself', async (path) => {
    expect(await (await fetch(site.url + path)).text()).toBe(`bank ${path}`);
  });

  test.each(['/', '/config.json', '/bank/users', '/step-up/devices', '/nothing'])(
    'answers %s with the headers of its origin',
    async (path) => {
      const { headers } = await fetch(site.url + path);
      const { 'Strict-Transport-Security': hsts, ...others } = siteHeaders;
      expect(hsts).toBeDefined();
      expect(headers.get('strict-transport-security')).toBeNull();
      for (const [name, value] of Object.entries(others)) expect(headers.get(name)).toBe(value);
    },
  );

  test('forwards calls of devices to the API', async () => {
    const response = await fetch(`${site.url}/omi/device/settings?a=b`, { headers: { origin: site.url } });
    expect(await response.json()).toEqual({ url: '/omi/device/settings?a=b' });
  });

  test('forwards no other call to the API', async () => {
    expect((await fetch(`${site.url}/omi/users/anna/devices`)).status).toBe(404);
  });

  test.each([
    ['a foreign Host', { host: 'bank.example' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
  ])('rejects %s everywhere', async (_, headers) => {
    for (const path of ['/', '/bank/users', '/step-up/devices', '/omi/device/settings']) {
      const sent = request(site.address + path, { headers }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(403);
    }
  });

  test('redirects from its IP address to its name', async () => {
    const response = await fetch(`${site.url.replace('localhost', '127.0.0.1')}/`, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe(`${site.url}/`);
  });
});

test('a port in use is reported with its variable', async () => {
  const starting = startSiteServer({ port: Number(new URL(site.url).port), apiUrl: api.url });
  await expect(starting).rejects.toThrow(StartError);
  await expect(starting).rejects.toThrow('OMI_SITE_PORT');
});
