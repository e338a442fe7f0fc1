import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useSharedStack } from '../../support/use-stack.ts';

const stack = useSharedStack();

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

test('bench:website counts how often the page and the website ask until they know the answer', async () => {
  const rows = await run('website', '--answers', '1', '--at-once', '1', '--stack', stack.directory);
  const callsOf = (way: string): number[] => figures(rowOf(rows, way).slice(-2));
  expect(arePositive(callsOf('the website polls the service'))).toBe(true);
  expect(callsOf('callbacks; the answer to the page waits for them')).toEqual([1, 0]);
});
