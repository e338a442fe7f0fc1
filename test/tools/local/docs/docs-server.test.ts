import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startDocsServer } from '../../../../tools/local/docs/docs-server.ts';
import type { OriginServer } from '../../../../tools/local/origin/origin-server.ts';

let parent: string;
let folder: string;
let docs: OriginServer;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'omi-docs-'));
  folder = join(parent, 'dist');
  await writeFile(join(parent, 'secret.txt'), 'secret');
  docs = await startDocsServer({ port: 0, apiUrl: 'http://127.0.0.1:9', folder });
});
afterEach(async () => {
  await docs.close();
  await rm(parent, { recursive: true });
});

async function build(): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Docs</title>');
  await writeFile(join(folder, '404.html'), '<!doctype html><title>Not found</title>');
  await writeFile(join(folder, 'assets/app.js'), 'run()');
}

/** As it is: `fetch` would resolve the dots. */
async function statusOf(path: string): Promise<{ status: number | undefined; body: string }> {
  const { port } = new URL(docs.url);
  return await new Promise((resolve, reject) => {
    request({ host: 'localhost', port, path }, (response) => {
      void text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    })
      .on('error', reject)
      .end();
  });
}

test('says how to build the docs while they are not built', async () => {
  const response = await fetch(docs.url);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toContain('npm run docs:site');
});

test('serves a site that is built while it runs', async () => {
  await build();
  const response = await fetch(docs.url);
  expect(await response.text()).toContain('<title>Docs</title>');
  expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  const script = await fetch(`${docs.url}/assets/app.js`);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.headers.get('cache-control')).toContain('immutable');
});

test('answers a page that does not exist with the page for that', async () => {
  await build();
  const response = await fetch(`${docs.url}/no-such.html`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('Not found');
});

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/%00',
  '/%',
  '/assets/../../secret.txt',
])('has no address for a file outside of the site: %s', async (path) => {
  await build();
  const { status, body } = await statusOf(path);
  expect(status).toBe(404);
  expect(body).not.toContain('secret');
});

test('takes no other method', async () => {
  expect((await fetch(docs.url, { method: 'POST' })).status).toBe(405);
  expect(await (await fetch(docs.url, { method: 'HEAD' })).text()).toBe('');
});
