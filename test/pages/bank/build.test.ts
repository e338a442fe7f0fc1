import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSite } from '../../../pages/bank/build.ts';

let folder: string;
let files: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-site-'));
  await buildSite(folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
});
afterAll(async () => await rm(folder, { recursive: true }));

test('the packages are next to the page', () => {
  for (const name of ['device', 'elements', 'website']) expect(files).toContain(`/assets/omi-${name}.js`);
});

test("the page's own files are copied unchanged, and only those that a browser shows", async () => {
  const copy = await readFile(join(folder, 'main.js'), 'utf8');
  expect(copy).toBe(await readFile('pages/bank/page/main.js', 'utf8'));
  expect(files.filter((file) => !/\.(html|css|js|svg|png)$/.test(file))).toEqual([]);
});

test('the page requests only files that exist', async () => {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:href|src)="(\/[^"#]+)"/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !files.includes(path))).toEqual([]);
});
