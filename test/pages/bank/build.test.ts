import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bytesOf } from '#ui/testing/built-page.ts';
import { buildSite } from '../../../pages/bank/build.ts';
import { siteCacheControlOf } from '../../../pages/bank/headers.ts';
import { filesOf, type PageBuild } from '../../../bundling/page.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-site-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files: string[];
let phone: PageBuild;
beforeAll(async () => {
  ({ phone } = await buildSite(folder));
  files = await filesOf(folder);
});

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

test('only what a browser shows is there, and the page has one script and one style', () => {
  const own = files.filter((path) => !path.startsWith('/phone/'));
  expect(own).toEqual(['/assets/page.css', '/assets/page.js', '/icon.svg', '/index.html']);
  expect(files.filter((file) => !/\.(html|css|js|svg|png)$/.test(file))).toEqual([]);
});

test('the page is below 60 KB as a browser receives it, with the packages and without the phone', () => {
  const own = files.filter((path) => !path.startsWith('/phone/'));
  expect(bytesOf(folder, own)).toBeGreaterThan(5_000);
  expect(bytesOf(folder, own)).toBeLessThan(60_000);
});

// The page loads it after its user has signed in. The web app itself may have 60 KB; here it has no camera, push or passkeys.
test('the first load of its phone is at most 46 KB after gzip, in the language with the longest texts', () => {
  const sizeOf = (paths: readonly string[]): number => bytesOf(join(folder, 'phone'), paths);
  const languages = phone.files.filter((path) => /\/(de|en|es|fr|nl)-/.test(path));
  expect(languages).toHaveLength(5);
  const first = sizeOf(phone.firstLoad) + Math.max(...languages.map((path) => sizeOf([path])));
  expect(first).toBeGreaterThan(20_000);
  expect(first).toBeLessThanOrEqual(46_000);
});

test('a browser keeps only the files of the phone whose names have a hash of their content', () => {
  const kept = files.filter((path) => siteCacheControlOf(path).includes('immutable'));
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.filter((path) => !/^\/phone\/assets\/.*-[A-Z0-9]{8}\.(js|css)$/.test(path))).toEqual([]);
});

test('the page requests only files that exist', () => {
  const named = [...read('index.html').matchAll(/(?:href|src)="(\/[^"#]+)"/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((path) => !files.includes(path))).toEqual([]);
});
