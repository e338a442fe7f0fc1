import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bytesOf, expectServable, expectStrictPage } from '#ui/testing/built-page.ts';

type Built = { files: string[]; firstLoad: string[] };

/**
 * What holds for a built page on which people sign in at an issuer.
 *
 * @param mostBytes of its first load, compressed by gzip
 * @returns the text of its script
 */
export function isSignedInPage(build: (folder: string) => Promise<Built>, mostBytes: number): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'omi-page-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  let built: Built;
  beforeAll(async () => {
    built = await build(folder);
  });

  test(`the page is at most ${mostBytes / 1_000} KB, compressed by gzip`, () => {
    expect(built.firstLoad).toHaveLength(3);
    const total = bytesOf(folder, built.firstLoad);
    expect(total).toBeGreaterThan(1_000);
    expect(total).toBeLessThanOrEqual(mostBytes);
  });

  test('what leads to an issuer and back is loaded when somebody signs in', () => {
    const [openid, ...others] = built.files.filter(
      (path) => path.endsWith('.js') && !built.firstLoad.includes(path),
    );
    expect(others).toEqual([]);
    expect(openid).toContain('openid');
    expect(bytesOf(folder, [openid ?? ''])).toBeLessThanOrEqual(9_000);
  });

  test('the page has nothing inline, and loads only existing files', () => expectStrictPage(folder));

  test('every file has a type, and only hashed ones are kept by browsers', () => expectServable(built.files));

  return () => readFileSync(join(folder, built.firstLoad.find((path) => path.endsWith('.js')) ?? ''), 'utf8');
}
