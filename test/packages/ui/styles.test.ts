import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const files = ['packages/ui/src', 'pages/app', 'pages/bank', 'pages/exports'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
const textOf = (ending: RegExp): string =>
  files
    .filter((file) => ending.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

test('every class of a style sheet is used by a page', () => {
  const words = new Set(textOf(/\.(tsx?|js|html)$/).match(/[a-z][\w-]*/gi));
  const classes = new Set(
    [...textOf(/\.css$/).matchAll(/\.([a-z][\w-]*)(?=[^;]*\{)/g)].map(([, name = '']) => name),
  );
  expect(classes.size).toBeGreaterThan(50);
  expect([...classes].filter((name) => !words.has(name))).toEqual([]);
});

test('every property that a style uses is defined, and every defined one is used', () => {
  const styles = textOf(/\.css$/);
  const inSheets = styles.matchAll(/^\s*(--[\w-]+):/gm);
  const inComponents = textOf(/\.tsx$/).matchAll(/'(--[\w-]+)':/g);
  const defined = new Set([...inSheets, ...inComponents].map(([, name = '']) => name));
  const used = new Set([...textOf(/\.(css|ts)$/).matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name));
  expect([...used].filter((name) => !defined.has(name) && !name.startsWith('--omi-'))).toEqual([]);
  expect([...defined].filter((name) => !used.has(name) && !name.startsWith('--omi-'))).toEqual([]);
});
