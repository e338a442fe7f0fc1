import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { rankOf, slowest } from './slowest.ts';

const suites = globSync('test/**/*.test.ts').map((path) => `/repository/${path}`);

test.each(slowest.map((beginning, rank) => ({ beginning, rank })))(
  '$beginning names a suite that is there and begins in this order',
  ({ rank }) => {
    expect(suites.filter((path) => rankOf(path) === rank)).not.toEqual([]);
  },
);

test('all other suites come after these', () => {
  expect(rankOf('/repository/test/core/kernel/json.test.ts')).toBe(slowest.length);
});
