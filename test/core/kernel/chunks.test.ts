import { expect, test } from '@jest/globals';
import { chunksOf } from '../../../core/kernel/chunks.ts';

test('a list is divided in order, and the last part may be smaller', () => {
  expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunksOf([1, 2], 2)).toEqual([[1, 2]]);
  expect(chunksOf([], 2)).toEqual([]);
});
