import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildExportsPage } from '../../../pages/exports/build.ts';
import { cacheControlOf, contentTypeOf, exportsPageHeaders } from '../../../pages/exports/headers.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-exports-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

let built: Awaited<ReturnType<typeof buildExportsPage>>;
beforeAll(async () => {
  built = await buildExportsPage(folder);
});

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

test('the page is at most 25 KB, compressed by gzip', () => {
  const total = built.firstLoad.reduce((sum, path) => sum + gzipSync(read(path)).length, 0);
  expect(built.firstLoad).toHaveLength(3);
  expect(total).toBeGreaterThan(1_000);
  expect(total).toBeLessThanOrEqual(25_000);
});

test('has no inline code, no inline style, and loads only files that are there', () => {
  const page = read('index.html');
  expect(page).not.toMatch(/<script(?![^>]*\ssrc="\/assets\/)|<style|\sstyle=|\son\w+=/);
  expect(page).not.toContain('%');
  const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  expect(named.filter((path) => !path.startsWith('/') || !existsSync(join(folder, path)))).toEqual([]);
  expect(named).toHaveLength(3);
});

test('every file has a type, and only hashed ones are kept by browsers', () => {
  expect(built.files.filter((path) => contentTypeOf(path) === 'application/octet-stream')).toEqual([]);
  const kept = built.files.filter((path) => cacheControlOf(path).includes('immutable'));
  expect(kept.filter((path) => !/-[A-Z0-9]{8}\.(js|css)$/.test(path))).toEqual([]);
  expect(kept).toHaveLength(2);
});

test("the headers allow no code but the page's own files, no form, no frame, and no sensor", () => {
  const policy = exportsPageHeaders['Content-Security-Policy'];
  for (const part of [
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "trusted-types 'none'",
  ])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
  expect(exportsPageHeaders['Permissions-Policy']).not.toContain('self');
});

test('the page keeps nothing in the browser', () => {
  const script = built.firstLoad.find((path) => path.endsWith('.js')) ?? '';
  expect(read(script)).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie|serviceWorker/);
});
