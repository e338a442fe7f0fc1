import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = 'pages/bank/page';

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => join(root, name))
  .filter((name) => /\.(js|css|html|svg)$/.test(name));
const modules = files.filter((name) => name.endsWith('.js'));

const textOf = (file: string): string => readFileSync(file, 'utf8');
const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^import\s(?:[^;']*?from\s)?'([^']+)'/gms)].map(([, path = '']) => path);

const packages = ['#elements', '#website'];

describe("the demo bank's page", () => {
  test('imports its own modules and the two packages, and nothing else', () => {
    for (const file of modules)
      for (const path of importsOf(file)) {
        const isOwn = path.startsWith('.') && modules.includes(join(dirname(file), path));
        expect([file, path, isOwn || packages.includes(path)]).toEqual([file, path, true]);
      }
  });

  test('has no module that is never imported', () => {
    const used = modules.flatMap((file) => importsOf(file).map((path) => join(dirname(file), path)));
    const orphans = modules.filter((file) => !used.includes(file));
    expect(orphans).toEqual([join(root, 'main.js')]);
  });

  test('calls nobody else, and makes no markup from texts', () => {
    for (const file of files) {
      const text = textOf(file).replaceAll('http://www.w3.org/2000/svg', '');
      expect([file, /https?:|innerHTML|outerHTML|insertAdjacent|document\.write/.exec(text)?.[0]]).toEqual([
        file,
        undefined,
      ]);
    }
  });

  test('has no script, style or handler in its markup', () => {
    const page = textOf(join(root, 'index.html'));
    expect(page).not.toMatch(/\sstyle=|<style|\son\w+=|javascript:/);
    expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script type="module" src="/assets/page.js">',
    ]);
  });
});
