import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PageBuild } from '../../../tools/bundling/page.ts';
import { buildSite } from '../../../pages/bank/build.ts';

let folder: string;
let files: string[];
let phone: PageBuild;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-site-'));
  ({ phone } = await buildSite(folder));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
});
afterAll(async () => await rm(folder, { recursive: true }));

test('the packages are next to the page', () => {
  for (const name of ['elements', 'website']) expect(files).toContain(`/assets/omi-${name}.js`);
});

test("the page's own files are copied unchanged, and only those that a browser shows", async () => {
  const copy = await readFile(join(folder, 'main.js'), 'utf8');
  expect(copy).toBe(await readFile('pages/bank/page/main.js', 'utf8'));
  expect(files.filter((file) => !/\.(html|css|js|svg|png)$/.test(file))).toEqual([]);
});

// The page loads it after its user has signed in. The web app itself may have 60 KB; here it has no camera, push or passkeys.
test('the first load of its phone is at most 45 KB after gzip, in the language with the longest texts', () => {
  const sizeOf = (path: string): number => gzipSync(readFileSync(join(folder, 'phone', path))).length;
  const languages = phone.files.filter((path) => /\/(de|en|es|fr|nl)-/.test(path)).map(sizeOf);
  expect(languages).toHaveLength(5);
  const first = phone.firstLoad.reduce((sum, path) => sum + sizeOf(path), Math.max(...languages));
  expect(first).toBeGreaterThan(20_000);
  expect(first).toBeLessThanOrEqual(45_000);
});

test('the page requests only files that exist', async () => {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:href|src)="(\/[^"#]+)"/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !files.includes(path))).toEqual([]);
});
