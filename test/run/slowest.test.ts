import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { inOrder, rankOf, slowest } from './slowest.ts';

const suites = globSync('test/**/*.test.ts').map((path) => ({ path: `/repository/${path}` }));

test.each(slowest.map((beginning, rank) => ({ beginning, rank })))(
  '$beginning names a suite that is there',
  ({ rank }) => {
    expect(suites.filter(({ path }) => rankOf(path) === rank)).not.toEqual([]);
  },
);

test('a run has every suite once, the slowest in their order and quick ones between them', () => {
  const order = inOrder(suites);
  expect(order.toSorted(byPath)).toEqual(suites.toSorted(byPath));
  const ranks = order.map(({ path }) => rankOf(path));
  const slow = ranks.filter((rank) => rank < slowest.length);
  expect(slow).toEqual(slow.toSorted((one, other) => one - other));
  expect(ranks.slice(0, 6)).toEqual([0, slowest.length, slowest.length, 1, slowest.length, slowest.length]);
});

test('a run of slow suites only has all of them', () => {
  const slow = suites.filter(({ path }) => rankOf(path) < slowest.length);
  expect(inOrder(slow).toSorted(byPath)).toEqual(slow.toSorted(byPath));
});

function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : 1;
}
