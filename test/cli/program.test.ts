/** The program as a shell runs it, and what it says where there is nothing to operate. */
import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { omi } from './omi.ts';

describe('a missing deployment', () => {
  test('is reported locally with the way to start it', async () => {
    const { code, err } = await omi(['--local', 'tenant', 'list'], {
      environment: { OMI_STATE: '/nowhere' },
    });
    expect(code).toBe(1);
    expect(err).toContain('npm start');
  });

  test('is reported if a variable names a file, with what it must name', async () => {
    const { code, err } = await omi(['--local', 'tenant', 'list'], {
      environment: { OMI_STATE: 'package.json' },
    });
    expect(code).toBe(1);
    expect(err).toContain('OMI_STATE must name the folder');
  });

  test('is searched in the usual place if the variable is empty', async () => {
    const { err } = await omi(['--local', 'tenant', 'list'], { environment: { OMI_STATE: '' } });
    expect(err).not.toContain(join(process.cwd(), 'stack.json'));
  });

  test('is reported in the cloud without a region, with a request for one', async () => {
    const { code, err } = await omi(['tenant', 'list']);
    expect(code).toBe(1);
    expect(err).toContain('--region');
  });
});

const namesOfModules = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    console.error(url);
    return next(url, context);
  },
});`;

/** The modules that a command loads. */
const loadedBy = (...args: string[]): string[] =>
  spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(namesOfModules)}`, 'bin/omi.mjs', ...args],
    { encoding: 'utf8' },
  ).stderr.split('\n');

describe('what is loaded', () => {
  const isClient = (url: string): boolean => url.includes('/@aws-sdk/');
  const folderOf = (url: string): string[] => /\/cli\/(\w+)\//.exec(url)?.slice(1) ?? [];

  test('is no command and no AWS client if the help of all commands is asked for', () => {
    const loaded = loadedBy('--help');
    expect(loaded.some((url) => url.endsWith('/cli/program.ts'))).toBe(true);
    expect(loaded.filter(isClient)).toEqual([]);
    expect(loaded.flatMap(folderOf)).toEqual([]);
  });

  test('is only the command that is called', () => {
    const loaded = loadedBy('audit', '--help');
    expect(loaded.filter(isClient)).toEqual([]);
    expect(new Set(loaded.flatMap(folderOf))).toEqual(new Set(['audit']));
  });
});

const full = '/dev/full';

describe('the program', () => {
  test.each([
    ['the launcher', process.execPath, ['bin/omi.mjs', '--version']],
    ['npx omi', 'npx', ['omi', '--version']],
  ])('is started by %s', (_, command, args) => {
    const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${manifest.version}\n` });
  });

  test.each([
    [{ OMI_STAGE: '' }, [], 'no such folder'],
    [{}, ['--stage', ''], '--stage'],
  ])(
    'treats an empty stage as unset in the variable and as wrong in the option: %j %j',
    (variables, args, told) => {
      const { stderr } = spawnSync(process.execPath, ['bin/omi.mjs', ...args, '--local', 'tenant', 'list'], {
        encoding: 'utf8',
        env: { ...process.env, OMI_STATE: 'no such folder', ...variables },
      });
      expect(stderr).toContain(told);
    },
  );

  test('exits with the exit code of the command', () => {
    const { status, stdout } = spawnSync(process.execPath, ['bin/omi.mjs', 'tenant'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  // Linux has a file that takes nothing.
  (existsSync(full) ? test : test.skip)('a result that cannot be written is no success', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/omi.mjs', '--version'], {
      encoding: 'utf8',
      stdio: ['ignore', openSync(full, 'w'), 'pipe'],
    });
    expect(status).toBe(1);
    expect(stderr).toContain('The result could not be written');
  });
});
