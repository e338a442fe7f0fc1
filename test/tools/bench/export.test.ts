import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Result } from '../../../tools/bench/export/bench.ts';

type Output = { packing: number; results: Result[] };

let output: Output;
beforeAll(async () => {
  // In its own process, because code that Jest loads is ten times slower.
  const { stdout } = await promisify(execFile)(process.execPath, [
    'tools/bench/export/run.ts',
    '--quick',
    '--json',
  ]);
  output = JSON.parse(stdout) as Output;
});

const of = (strategy: string): Result[] =>
  output.results.filter((result) => result.strategy.startsWith(strategy));

describe('batches of 1,000 events for 20 tenants', () => {
  test('are billed at most 3 % above the fewest units possible', () => {
    for (const { over1 } of of('ours, to a stream')) expect(over1).toBeLessThanOrEqual(1.03);
    for (const { over5 } of of('ours, to a bucket')) expect(over5).toBeLessThanOrEqual(1.03);
  });

  test('need one request per tenant', () => {
    for (const { requestsPer1000 } of of('ours')) expect(requestsPer1000).toBeLessThanOrEqual(21);
  });

  test('arrive completely, once and in order, although 1 % of records and calls fail', () => {
    for (const { lost, duplicates, inversions } of of('ours')) {
      expect({ lost, duplicates, inversions }).toEqual({ lost: 0, duplicates: 0, inversions: 0 });
    }
  });
});

test('all strategies deliver the same events without a loss', () => {
  expect(new Set(output.results.map(({ strategy }) => strategy)).size).toBe(5);
  for (const { lost } of output.results) expect(lost).toBe(0);
});

/** The speed can only be judged on an idle machine. */
test('the packing path is measured alone', () => {
  expect(output.packing).toBeGreaterThan(0);
});

test('a stalled target with new events becomes active again, with its events in order', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    'tools/bench/export/run.ts',
    '--recovery',
    '--quick',
  ]);
  expect(stdout).toMatch(/\| 400 +\| +\d+\.\d \| +0 \|/);
});
