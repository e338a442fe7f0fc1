import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { useSharedStack } from '../../support/use-stack.ts';

/** In its own process, because code that Jest loads is slower. @returns the cells of each row of its tables */
async function run(bench: string, ...args: string[]): Promise<string[][]> {
  const { stdout } = await promisify(execFile)(process.execPath, [`tools/bench/${bench}/run.ts`, ...args]);
  const rows = stdout.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| -'));
  return rows.map((row) =>
    row
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
}

const rowOf = (rows: readonly string[][], name: string): string[] =>
  rows.find(([first]) => first === name) ?? [];
const figures = (cells: readonly string[]): number[] => cells.map((cell) => Number(cell.replaceAll(',', '')));
const arePositive = (numbers: readonly number[]): boolean => numbers.every((number) => number > 0);

test('bench:cold measures sizes and starts of a bundle beside its control', async () => {
  const rows = await run('cold', '--runs', '1', '--lambda', 'get-confirmation');
  const [bytes, , control, , ratio] = figures(rowOf(rows, 'get-confirmation').slice(1));
  expect(ratio).toBeCloseTo((bytes ?? 0) / (control ?? 0), 2);
  expect(ratio).toBeLessThanOrEqual(0.5);
});

test('bench:api polls each server and compares it with oidc-provider', async () => {
  const rows = await run('api', '--rounds', '1', '--seconds', '1');
  expect(rowOf(rows, 'CIBA poll of `oidc-provider`').slice(-2)).toEqual(['1.00', '1.00']);
  expect(arePositive(figures(rowOf(rows, '`POST /oauth/token`').slice(1)))).toBe(true);
});

test('bench:export measures calls, units and speed of the exporter', async () => {
  const rows = await run('export', '--events', '3000', '--rounds', '1');
  const [, , calls, over] = figures(
    rows.find(([to, size]) => to === 'streams of 20 tenants' && size === '1,000') ?? [],
  );
  // One for each tenant.
  expect(calls).toBeLessThanOrEqual(21);
  expect(over).toBeLessThanOrEqual(1.03);
  expect(arePositive(figures(rowOf(rows, 'packing alone').slice(1)))).toBe(true);
});

test('bench:recovery waits until a stalled target with new events is active again', async () => {
  const rows = await run('recovery', '--rate', '400', '--stall', '4', '--longest', '20');
  const [seconds] = figures(rowOf(rows, '400').slice(1));
  expect(seconds).toBeLessThan(20);
});

test('bench:website counts how often the page and the website ask until they know the answer', async () => {
  const rows = await run('website', '--answers', '6', '--at-once', '3');
  const callsOf = (way: string): number[] => figures(rowOf(rows, way).slice(-2));
  expect(arePositive(callsOf('the website polls the service'))).toBe(true);
  expect(callsOf('call-backs; the answer to the page waits for them')).toEqual([1, 0]);
});

test('bench:ledger counts and lists the stored events, and finds the one that is missing', async () => {
  const rows = await run('ledger', '--events', '2000');
  const [seconds, requests] = figures(rowOf(rows, 'an hour of 2,000, first').slice(1));
  expect(seconds).toBeGreaterThan(0);
  expect(requests).toBeGreaterThanOrEqual(1);
  expect(rowOf(rows, 'reconcile: one of 2,000 is missing, by ids')).toHaveLength(7);
});

describe('bench:targets', () => {
  let rows: string[][];
  const callsOf = (name: string): string => rowOf(rows, name).at(-1) ?? '';

  test('gives every target its events, and opens no session and no secret twice', async () => {
    rows = await run('targets', '--targets', '16');
    const first = callsOf('a batch with events of 16 tenants, by a new Lambda');
    const deliveries = ['PutRecords', 'PutRecordBatch', 'webhook', 'PutEvents', 'Decrypt'];
    for (const call of deliveries) expect(first).toContain(`4 ${call}`);
    expect(first).toContain('8 AssumeRole');
    expect(callsOf('the same tenants again')).toContain('4 PutRecords');
    expect(callsOf('the same tenants again')).not.toMatch(/AssumeRole|Decrypt/);
  });

  test('asks for a test of every target, and tests it in full', () => {
    expect(callsOf('asking for the daily tests')).toContain('2 SendMessageBatch');
    const tested = rows.find(([what]) => what?.startsWith('the daily tests'))?.at(-1);
    // Five of a stream or bus, with its external id, without it and with three wrong ones, and one of a bucket.
    for (const calls of ['44 AssumeRole', '4 PutEvents', '4 PutRecords', '4 PutObject', '4 webhook'])
      expect(tested).toContain(calls);
  });

  test('measures the CLI in a process of its own', () => {
    expect(rowOf(rows, '`omi target list`').slice(2, 3)).toEqual(['19']);
    // The segments of the table, at the same time.
    expect(callsOf('`omi target list`')).toBe('8 Scan');
  });
});

describe('bench:callbacks', () => {
  const stack = useSharedStack();

  test('measures the call-backs of healthy receivers, alone and beside bad ones', async () => {
    const rows = await run(
      'callbacks',
      ...'--rounds 1 --waves 1 --receivers 3 --stack'.split(' '),
      stack.directory,
    );
    expect(figures(rowOf(rows, 'alone (control)').slice(1, 2))).toEqual([3]);
    expect(arePositive(figures(rowOf(rows, 'with a dead one and a slow one besides').slice(1)))).toBe(true);
  });
});
