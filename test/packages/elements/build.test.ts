/** What is published: small enough, and nothing that a strict policy forbids. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildElements, type Size } from '../../../packages/elements/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-elements-'));
afterAll(() => rmSync(folder, { recursive: true }));

let sizes: Size[];
beforeAll(async () => {
  sizes = await buildElements(folder);
});

const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const scripts = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));

test.each(['omi-confirmation.js', 'omi-enrolment.js'])(
  '%s has at most 10 KiB, compressed by gzip',
  (file) => {
    const bytes = gzipSync(read(file)).length;
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThanOrEqual(10_240);
  },
);

test('the build reports the contents of each file, and each language has at most 2 KB', () => {
  const languages = sizes.filter(({ file }) => file.includes('/'));
  expect(new Set(languages.map(({ file }) => file))).toEqual(
    new Set(
      ['confirmation', 'enrolment'].flatMap((kind) =>
        ['de', 'nl', 'fr', 'es'].map((tag) => `${kind}/${tag}`),
      ),
    ),
  );
  for (const { bytes } of languages) expect(bytes).toBeLessThanOrEqual(2_000);
});

test('a file for a script tag loads only a language', () => {
  for (const file of ['omi-elements.js', 'omi-confirmation.js', 'omi-enrolment.js'])
    expect(read(file)).not.toMatch(/\bfrom"|\bimport"/);
});

test('a tab keeps one word, which is no data of the user', () => {
  for (const file of ['omi-elements.js', 'omi-confirmation.js'])
    expect(read(file).match(/sessionStorage\.\w+\([^)]*/g)).toEqual([
      expect.stringMatching(/^sessionStorage\.getItem\(\w+$/),
      expect.stringMatching(/^sessionStorage\.setItem\(\w+,String\(\w+$/),
    ]);
  expect(read('omi-enrolment.js')).not.toContain('sessionStorage');
});

describe('no file', () => {
  test.each([
    [
      'writes HTML or code as text',
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/,
    ],
    ['writes a style attribute', /\.style\b|cssText|setAttribute\("style"/],
    ['names another origin', /https?:\/\/(?!www\.w3\.org\/2000\/svg)/],
    ['stores anything beyond its tab', /localStorage|indexedDB|document\.cookie/],
  ])('%s', (_, pattern) => {
    expect(scripts().length).toBeGreaterThan(10);
    expect(scripts().filter((file) => pattern.test(read(file)))).toEqual([]);
  });
});

test('a server component may use the components of React: they are marked for the browser', () => {
  expect(read('react.js')).toMatch(/^"use client";/);
});

test('the style sheets are minified', () => {
  expect(read('omi-confirmation.js')).toContain(':host{display:block;container-type:inline-size');
});
