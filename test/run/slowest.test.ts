import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { inOrder, slowest } from './slowest.ts';

const suites = globSync('test/**/*.test.ts').map((path) => ({ path: `/repository/${path}` }));
const { computing, waiting } = slowest;
const named = [...computing, ...waiting];
const nameOf = ({ path }: { path: string }): string => path.slice('/repository/'.length);

test.each(named)('%s is there, and named once', (name) => {
  expect(suites.filter((suite) => nameOf(suite) === name)).toHaveLength(1);
  expect(named.filter((one) => one === name)).toHaveLength(1);
});

test('a run has every suite once, and the slowest of both kinds in their order', () => {
  const order = inOrder(suites).map(nameOf);
  expect(order.toSorted()).toEqual(suites.map(nameOf).toSorted());
  expect(order.filter((name) => computing.includes(name))).toEqual(computing);
  expect(order.filter((name) => waiting.includes(name))).toEqual(waiting);
});

test('each half of a run has half of those that compute, of those that wait and of the quick ones', () => {
  const order = inOrder(suites).map(nameOf);
  const half = order.slice(0, order.length / 2);
  const shareOf = (kind: readonly string[]): number =>
    half.filter((name) => kind.includes(name)).length / kind.length;
  const quick = order.filter((name) => !named.includes(name));
  for (const kind of [computing, waiting, quick]) expect(shareOf(kind)).toBeCloseTo(0.5, 1);
  expect(order.slice(0, 2)).toEqual([waiting[0], computing[0]]);
});

test('a run of slow suites only has all of them', () => {
  const slow = suites.filter((suite) => named.includes(nameOf(suite)));
  expect(inOrder(slow).map(nameOf).toSorted()).toEqual(named.toSorted());
});
