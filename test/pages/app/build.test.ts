import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildApp, type AppBuild } from '../../../pages/app/build.ts';
import { cacheControlOf, contentTypeOf, securityHeaders } from '../../../pages/app/headers.ts';

const folder = mkdtempSync(join(tmpdir(), 'omi-app-'));
afterAll(() => rmSync(folder, { recursive: true }));

let built: AppBuild;
beforeAll(async () => {
  built = await buildApp(folder);
});

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

test('the first load is at most 60 KB, compressed by gzip', () => {
  const sizes = built.firstLoad.map((path) => gzipSync(readFileSync(join(folder, path))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(built.firstLoad.length).toBeGreaterThanOrEqual(3);
  expect(total).toBeGreaterThan(1_000);
  expect(total).toBeLessThanOrEqual(60_000);
});

describe('the page', () => {
  test('has no inline code, no inline style, and loads nothing from another origin', () => {
    const page = read('index.html');
    expect(page).not.toMatch(/<script(?![^>]*\ssrc="\/assets\/)|<style|\sstyle=|\son\w+=/);
    expect(page).not.toMatch(/(?:src|href)="(?!\/)/);
    expect(page).not.toContain('%');
  });

  test('and its manifest name files that are there', () => {
    const manifest = JSON.parse(read('manifest.webmanifest')) as { icons: { src: string }[] };
    const named = [...read('index.html').matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    const paths = [...named, ...manifest.icons.map(({ src }) => src)];
    expect(paths.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    expect(paths.length).toBeGreaterThan(6);
  });
});

describe('headers', () => {
  test('of every file say its type', () => {
    expect(built.files.filter((path) => contentTypeOf(path) === 'application/octet-stream')).toEqual([]);
  });

  test('let a browser keep a file forever only if its name has a hash of its content', () => {
    const kept = built.files.filter((path) => cacheControlOf(path).includes('immutable'));
    expect(kept.filter((path) => !/-[A-Z0-9]{8}\.(js|css)$/.test(path))).toEqual([]);
    expect(kept.length).toBeGreaterThanOrEqual(2);
    expect(cacheControlOf('/index.html')).toBe('no-cache');
  });

  test("allow no code but the app's own files, and no frame", () => {
    const policy = securityHeaders['Content-Security-Policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
  });
});
