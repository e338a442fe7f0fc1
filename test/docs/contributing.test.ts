/** CONTRIBUTING.md names the tests that notice a forgotten step. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const page = readFileSync('CONTRIBUTING.md', 'utf8');
const named = [...page.matchAll(/`(test\/[\w./-]+)`: "([^"]+)"/g)].map(
  ([, file = '', name = '']): [string, string] => [file, name],
);

test('CONTRIBUTING.md names tests', () => {
  expect(named.length).toBeGreaterThan(9);
});

test.each(named)('CONTRIBUTING.md names an existing test: %s: %s', (file, name) => {
  expect(readFileSync(file, 'utf8')).toContain(name);
});
