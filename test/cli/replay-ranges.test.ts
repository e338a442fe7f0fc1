import { expect, test } from '@jest/globals';
import { withoutOverlaps } from '../../cli/replays/command.ts';

test('what was given up is replayed range by range, and ranges that touch are one', () => {
  const ranges = [
    { from: 50, to: 60 },
    { from: 0, to: 10 },
    { from: 5, to: 20 },
    { from: 20, to: 30 },
    { from: 52, to: 55 },
  ];
  expect(withoutOverlaps(ranges)).toEqual([
    { from: 0, to: 30 },
    { from: 50, to: 60 },
  ]);
  expect(withoutOverlaps([])).toEqual([]);
});
