import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { secondSitting } from './sittings.ts';

const suites = globSync('test/**/*.test.ts');

test.each(secondSitting)('the second sitting has suites of %s', (pattern) => {
  expect(suites.filter((path) => new RegExp(pattern).test(path))).not.toEqual([]);
});
