import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { cacheControlOf, contentTypeOf } from '../src/headers.ts';

/** No inline code and no inline style, nothing of another origin, and nothing that is not there. */
export function expectStrictPage(folder: string, more: readonly string[] = []): void {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<script(?![^>]*\ssrc="\/assets\/)|<style|\sstyle=|\son\w+=|javascript:/);
  expect(page).not.toContain('%');
  const named = [...page.matchAll(/<(?:link|script)[^>]*\s(?:src|href)="([^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  const missing = [...named, ...more].filter(
    (path) => !path.startsWith('/') || !existsSync(join(folder, path)),
  );
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThanOrEqual(3);
}

/** Every file has a type, and a browser keeps one forever only if its name has a hash of its content. */
export function expectServable(files: readonly string[]): void {
  expect(files.filter((path) => contentTypeOf(path) === 'application/octet-stream')).toEqual([]);
  const kept = files.filter((path) => cacheControlOf(path).includes('immutable'));
  expect(kept.filter((path) => !/-[A-Z0-9]{8}\.(js|css)$/.test(path))).toEqual([]);
  expect(kept.length).toBeGreaterThanOrEqual(2);
  expect(cacheControlOf('/index.html')).toBe('no-cache');
}

/** What these files of a folder weigh on their way to a browser. */
export const bytesOf = (folder: string, files: readonly string[]): number =>
  files.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path))).length, 0);
