import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bytesOf } from '#ui/testing/built-page.ts';
import { buildSite } from '../../../pages/bank/build.ts';
import { filesOf, type PageBuild } from '../../../tools/bundling/page.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-site-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files: string[];
let phone: PageBuild;
beforeAll(async () => {
  ({ phone } = await buildSite(folder));
  files = await filesOf(folder);
});

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

test('the packages are next to the page', () => {
  for (const name of ['elements', 'website']) expect(files).toContain(`/assets/omi-${name}.js`);
});

test("the page's own scripts are copied unchanged, and only what a browser shows is there", () => {
  expect(read('main.js')).toBe(readFileSync('pages/bank/page/main.js', 'utf8'));
  expect(files.filter((file) => !/\.(html|css|js|svg|png)$/.test(file))).toEqual([]);
});

test('the page is below 39 KB as a browser receives it, without the packages and the phone', () => {
  const others = phone.files.map((path) => `/phone${path}`);
  const own = files.filter((path) => !path.startsWith('/assets/omi-') && !others.includes(path));
  expect(own).toContain('/assets/page.css');
  expect(bytesOf(folder, own)).toBeGreaterThan(5_000);
  expect(bytesOf(folder, own)).toBeLessThan(39_000);
});

// The page loads it after its user has signed in. The web app itself may have 60 KB; here it has no camera, push or passkeys.
test('the first load of its phone is at most 45 KB after gzip, in the language with the longest texts', () => {
  const sizeOf = (paths: readonly string[]): number => bytesOf(join(folder, 'phone'), paths);
  const languages = phone.files.filter((path) => /\/(de|en|es|fr|nl)-/.test(path));
  expect(languages).toHaveLength(5);
  const first = sizeOf(phone.firstLoad) + Math.max(...languages.map((path) => sizeOf([path])));
  expect(first).toBeGreaterThan(20_000);
  expect(first).toBeLessThanOrEqual(45_000);
});

test('the page requests only files that exist', () => {
  const named = [...read('index.html').matchAll(/(?:href|src)="(\/[^"#]+)"/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !files.includes(path))).toEqual([]);
});
