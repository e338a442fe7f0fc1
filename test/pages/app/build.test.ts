import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bytesOf, expectServable, expectStrictPage } from '#ui/testing/built-page.ts';
import { type AppBuild, buildApp } from '../../../pages/app/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-app-'));
afterAll(() => rmSync(folder, { recursive: true }));

let built: AppBuild;
beforeAll(async () => {
  built = await buildApp(folder);
});

test('the first load is at most 60 KB, compressed by gzip', () => {
  expect(built.firstLoad.length).toBeGreaterThanOrEqual(3);
  const total = bytesOf(folder, built.firstLoad);
  expect(total).toBeGreaterThan(1_000);
  expect(total).toBeLessThanOrEqual(60_000);
});

test('the page and its manifest have nothing inline and name only existing files', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.webmanifest'), 'utf8')) as {
    icons: { src: string }[];
  };
  expect(manifest.icons.length).toBeGreaterThan(2);
  expectStrictPage(
    folder,
    manifest.icons.map(({ src }) => src),
  );
});

test('every file has a type, and only hashed ones are kept by browsers', () => expectServable(built.files));
