import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A run of suites, given by their names and texts; `mark` in a text is a path that nothing has. */
function runOf(suites: Record<string, string>): { code: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'omi-suites-'));
  folders.push(folder);
  mkdirSync(join(folder, 'suites'));
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ rootDir: join(folder, 'suites'), transform: {} }),
  );
  const mark = `const mark = ${JSON.stringify(join(folder, 'mark'))};`;
  for (const [name, text] of Object.entries(suites))
    writeFileSync(join(folder, 'suites', `${name}.test.js`), `${mark}\n${text}\n`);
  const { status, stderr } = spawnSync(
    process.execPath,
    ['test/support/run-suites.ts', '--config', join(folder, 'config.json')],
    { encoding: 'utf8' },
  );
  return { code: status, output: stderr };
}

const steady = "test('passes', () => {});";

const failsOnce = `
  const { existsSync, writeFileSync } = require('node:fs');
  test('fails once', () => {
    if (existsSync(mark)) return;
    writeFileSync(mark, '');
    throw new Error('the first time');
  });`;

const unsteadyIn = (output: string): string[] =>
  [...output.matchAll(/^unsteady: (.+)$/gm)].map(([, path = '']) => basename(path));

test('a suite that passes when it runs again is unsteady, also if it skips tests, and the run passes', () => {
  const { code, output } = runOf({ steady, once: `${failsOnce} test.skip('is for others', () => {});` });

  expect(code).toBe(0);
  expect(unsteadyIn(output)).toEqual(['once.test.js']);
  expect(output).toMatch(/^In all 3 tests, unsteady: \S+once\.test\.js$/m);
});

test('suites that fail twice fail the run with their output', () => {
  const { code, output } = runOf({
    steady,
    once: failsOnce,
    always: "test('fails', () => { throw new Error('again and again'); });",
    set_up: "beforeAll(() => { throw new Error('no set-up'); }); test('passes', () => {});",
    syntax: 'test(',
  });

  expect(code).toBe(1);
  expect(unsteadyIn(output)).toEqual(['once.test.js']);
  for (const said of ['again and again', 'no set-up', 'SyntaxError'])
    expect(output.split(said).length - 1).toBeGreaterThanOrEqual(2);
});

test('a run without failures does not run again', () => {
  const { code, output } = runOf({ steady });

  expect(code).toBe(0);
  expect(output.match(/^Tests:/gm)).toHaveLength(1);
  expect(output).toMatch(/^In all 1 tests, unsteady: none$/m);
});

test('a run without any test fails', () => {
  const { code, output } = runOf({});

  expect(code).toBe(1);
  expect(output).toContain('No tests found');
});
