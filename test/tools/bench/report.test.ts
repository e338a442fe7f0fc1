import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import {
  benchmarks,
  blockOf,
  documentPath,
  formatTable,
  median,
  percentile,
  withBlock,
} from '../../../tools/bench/report.ts';

describe('statistics', () => {
  test('the median is the middle value, or the mean of the two middle values', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 7])).toBe(6);
    expect(median([3])).toBe(3);
  });

  test('a percentile is the smallest value that this share of values does not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile([4, 2], 0)).toBe(2);
    expect(percentile([4, 2], 1)).toBe(4);
  });

  test('median and percentile throw without values', () => {
    expect(() => median([])).toThrow(RangeError);
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});

test('a table is Markdown with names on the left and numbers on the right', () => {
  expect(
    formatTable([
      { name: 'a', count: '1' },
      { name: 'long', count: '10,000' },
    ]).split('\n'),
  ).toEqual(['| name |  count |', '| ---- | -----: |', '| a    |      1 |', '| long | 10,000 |']);
});

describe('a block of the document', () => {
  const document = 'before\n<!-- begin bench:api -->\nold\n<!-- end bench:api -->\nafter\n';

  test('is replaced without another change', () => {
    const written = withBlock(document, 'bench:api', '\nnew $& lines\n');
    expect(written).toBe(
      'before\n<!-- begin bench:api -->\n\nnew $& lines\n\n<!-- end bench:api -->\nafter\n',
    );
    expect(blockOf(written, 'bench:api')).toBe('new $& lines');
    expect(withBlock(written, 'bench:api', 'new $& lines')).toBe(written);
  });

  test('is not written without its markers', () => {
    expect(blockOf(document, 'bench:cold')).toBeUndefined();
    expect(() => withBlock(document, 'bench:cold', 'new')).toThrow(/begin bench:cold/);
  });
});

test.each(benchmarks)('docs/performance.md has markers for %s', async (benchmark) => {
  expect(blockOf(await readFile(documentPath, 'utf8'), benchmark)).toBeDefined();
});
