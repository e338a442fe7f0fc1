import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'omi-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes its priority to a file of its name, and ends with its second argument. */
const script = `
  const [name, code] = process.argv.slice(2);
  require('node:fs').writeFileSync(name, String(require('node:os').getPriority()));
  process.exitCode = Number(code);`;

test('checks yield to suites, and all run when one fails', async () => {
  writeFileSync(join(folder, 'script.cjs'), script);
  const scripts = Object.fromEntries(
    ['suite', 'check', 'other'].map((name) => [name, `node script.cjs ${name}`]),
  );
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
  const module = JSON.stringify(pathToFileURL(resolve('test/run/programs.ts')).href);
  const run = `
    import { programs } from ${module};
    console.log(JSON.stringify(await programs({ suites: [['suite', '0']], checks: [['check', '1'], ['other', '0']] })));`;
  const args = ['--input-type=module', '-e', run];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder });

  expect(JSON.parse(stdout)).toEqual({ suites: true, checks: false });
  expect(stderr).toMatch(/FAIL npm run check .*PASS npm run other .*Failed: check\./s);
  const priorityOf = (name: string): number => Number(readFileSync(join(folder, name), 'utf8'));
  expect(priorityOf('suite')).toBe(getPriority());
  const yielding = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
  expect([priorityOf('check'), priorityOf('other')]).toEqual([yielding, yielding]);
});
