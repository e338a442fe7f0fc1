import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bytesOf, expectServable, expectStrictPage } from '#ui/testing/built-page.ts';
import { buildExportsPage } from '../../../pages/exports/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-exports-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

let built: Awaited<ReturnType<typeof buildExportsPage>>;
beforeAll(async () => {
  built = await buildExportsPage(folder);
});

test('the page is at most 25 KB, compressed by gzip', () => {
  expect(built.firstLoad).toHaveLength(3);
  const total = bytesOf(folder, built.firstLoad);
  expect(total).toBeGreaterThan(1_000);
  expect(total).toBeLessThanOrEqual(25_000);
});

test('the page has nothing inline, and loads only existing files', () => expectStrictPage(folder));

test('every file has a type, and only hashed ones are kept by browsers', () => expectServable(built.files));

test('the page stores nothing in the browser', () => {
  const script = built.firstLoad.find((path) => path.endsWith('.js')) ?? '';
  expect(readFileSync(join(folder, script), 'utf8')).not.toMatch(
    /localStorage|sessionStorage|indexedDB|document\.cookie|serviceWorker/,
  );
});
