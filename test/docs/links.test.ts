import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file));
const pages = tracked.filter((file) => file.endsWith('.md'));

const withoutCode = (text: string): string =>
  text
    .replaceAll(/^(```+)[^\n]*\n.*?^\1$/gms, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll('](', ''));

/** As GitHub makes them from headings: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(page: string): Set<string> {
  const headings = withoutFences(readFileSync(page, 'utf8')).matchAll(/^#{1,6} (.+)$/gm);
  const seen = new Map<string, number>();
  return new Set(
    Array.from(headings, ([, heading = '']) => {
      const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
      const slug = text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-');
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return times === 0 ? slug : `${slug}-${times}`;
    }),
  );
}

const withoutFences = (text: string): string => text.replaceAll(/^(```+)[^\n]*\n.*?^\1$/gms, '');

const linksOf = (page: string): string[] =>
  Array.from(withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);

const isOutside = (link: string): boolean => /^[a-z]+:/.test(link);

/** What a relative link leads to: a path from the top of the repository, and an anchor. */
function targetOf(page: string, link: string): { path: string; anchor: string | undefined } {
  const [path = '', anchor] = link.split('#');
  return { path: path === '' ? page : normalize(join(dirname(page), path)), anchor };
}

describe.each(pages)('the page %s', (page) => {
  const links = linksOf(page).filter((link) => !isOutside(link));

  test('links to files and headings that exist', () => {
    const broken = links.filter((link) => {
      const { path, anchor } = targetOf(page, link);
      return (
        !existsSync(path) || (anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).has(anchor))
      );
    });
    expect(broken).toEqual([]);
  });

  test('names files of the repository that exist', () => {
    const tops = new Set(tracked.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
    const named = Array.from(
      readFileSync(page, 'utf8').matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g),
      ([, path = '']) => path,
    );
    const missing = named.filter((path) => tops.has(path.split('/')[0] ?? '') && !existsSync(path));
    expect(missing).toEqual([]);
  });
});

test('every page of docs/ can be reached from the README', () => {
  const reached = new Set<string>();
  const visit = (page: string): void => {
    if (reached.has(page) || !page.endsWith('.md') || !existsSync(page)) return;
    reached.add(page);
    for (const link of linksOf(page)) if (!isOutside(link)) visit(targetOf(page, link).path);
  };
  visit('README.md');
  expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
});

test('every picture is shown by a page', () => {
  const texts = pages.map((page) => readFileSync(page, 'utf8')).join('\n');
  const pictures = tracked.filter((file) => file.startsWith('docs/images/')).map((file) => basename(file));
  expect(pictures.filter((name) => !texts.includes(`images/${name}`))).toEqual([]);
});

test('the list of decisions has each decision under its title', () => {
  const list = readFileSync('docs/adr/README.md', 'utf8');
  const decisions = pages.filter((page) => /^docs\/adr\/\d{4}-/.test(page));
  expect(decisions.length).toBeGreaterThan(10);
  for (const page of decisions) {
    const [, title = 'a title'] = /^# (?:\d+\.? )?(.+)$/m.exec(readFileSync(page, 'utf8')) ?? [];
    const file = page.replace('docs/adr/', '');
    expect(list.split('\n').filter((line) => line.includes(`](${file})`))).toEqual([
      expect.stringContaining(title),
    ]);
  }
});

describe('the repository', () => {
  const elsewhere = [
    /contract(?:-\d)?\.md/,
    /\bdecision \d/i,
    /\bcontract,? parts? \d/i,
    /\b(?:vocabulary|facts|interface|toolchain)\.md/,
  ];
  const texts = tracked.filter(
    (file) =>
      /\.(ts|md|mjs|js|yaml|yml|json|py|java)$/.test(file) &&
      file !== 'test/docs/links.test.ts' &&
      file !== 'package-lock.json',
  );

  test.each(elsewhere)('does not refer to %s', (pattern) => {
    expect(texts.filter((file) => pattern.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
