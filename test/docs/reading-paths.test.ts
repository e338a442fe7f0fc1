import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const [, section = ''] = readFileSync('docs/architecture.md', 'utf8').split('\n## How to read it\n');
const [chapter = ''] = section.split('\n## ');

/** The numbered lists of the chapter, by the bold name before each. */
const paths = chapter
  .split('\n**')
  .slice(1)
  .map((part): [string, string[]] => [
    part.slice(0, part.indexOf('**')),
    [...part.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file),
  ]);

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  );

/** AWS calls the Lambdas of a path one after the other. */
const handlers = readdirSync('lambdas')
  .map((name) => `lambdas/${name}/handler.ts`)
  .filter((file) => existsSync(file));
const calledByAws = new Set([...handlers, ...handlers.flatMap(importsOf)]);

test('the documented reading paths exist', () => {
  expect(paths.map(([name]) => name)).toEqual(
    expect.arrayContaining(['Send', 'Answer', 'Export', 'A target becomes active']),
  );
});

describe.each(paths)('the reading path "%s"', (_name, files) => {
  test('has at most seven files, and each exists', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(7);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  test('continues only with files that others of the path or a Lambda import', () => {
    const imported = new Set(files.flatMap(importsOf));
    expect(files.slice(1).filter((file) => !imported.has(file) && !calledByAws.has(file))).toEqual([]);
  });
});
