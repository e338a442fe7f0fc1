/** What a person sees before they know the commands, and what they see when they get them wrong. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { commandPaths, parse } from './command-lines.ts';
import { omi } from './omi.ts';

const paths = commandPaths();

const named = paths.map((path): [string, string[]] => [path.join(' '), path]);

const examplesOf = (help: string): string[] =>
  [...help.matchAll(/^ {2}\$ npx omi (.*)$/gm)].map(([, line = '']) => line);

const valid = {
  tenant: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01',
  stream: 'arn:aws:kinesis:eu-central-1:111122223333:stream/events',
  role: 'arn:aws:iam::111122223333:role/omi-event-export',
};

describe('help', () => {
  test('begins with every group of commands, and the exit codes', async () => {
    const { code, out } = await omi(['--help']);
    expect(code).toBe(0);
    for (const name of ['tenant', 'client', 'target', 'replay', 'device', 'notification', 'user', 'doctor'])
      expect(out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(out).toContain('0 done, 1 failed, 2 used wrongly');
  });

  test.each(named)('omi %s', async (name, path) => {
    const { code, out, err } = await omi([...path, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: omi ${name} `);
    expect(out).toContain('--local');
    expect(examplesOf(out).length).toBeGreaterThan(0);
  });

  test.each([['help'], ['help', 'target'], ['target', 'help', 'set']])(
    'omi %s %s %s is asked for, and given',
    async (...args) => {
      const { code, out } = await omi(args);
      expect({ code, isHelp: out.startsWith('Usage: omi') }).toEqual({ code: 0, isHelp: true });
    },
  );

  test('says which options must be there', async () => {
    const { out } = await omi(['user', 'erase', '--help']);
    expect(out).toMatch(/--user <id> .*\(required\)/);
  });

  test.each([[], ...paths.filter((path) => isGroup(path))].map((path) => [path]))(
    'is what the incomplete command %j gets, as a misuse',
    async (path) => {
      const { code, out, err } = await omi(path);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain('Usage: omi');
    },
  );
});

function isGroup(path: readonly string[]): boolean {
  return paths.some(
    (other) => other.length === path.length + 1 && path.every((word, at) => other[at] === word),
  );
}

test.each(named)('the examples of omi %s are commands as they are', async (_, path) => {
  const { out } = await omi([...path, '--help']);
  for (const line of examplesOf(out)) await expect(parse(line)).resolves.toBeUndefined();
});

describe('bad input names the field and what it expects', () => {
  const set = ['target', 'set', 'stream', '--category', 'public', '--tenant', valid.tenant];
  test.each<[string, string[], string[]]>([
    [
      'a count',
      ['tenant', 'create', '--name', 'Bank', '--max-devices', '21'],
      ['--max-devices', 'from 1 to 20'],
    ],
    [
      'no number',
      ['tenant', 'create', '--name', 'Bank', '--per-day', 'many'],
      ['--per-day', 'from 1 to 1000'],
    ],
    [
      'a choice',
      ['tenant', 'create', '--name', 'Bank', '--number-matching', 'on'],
      ['--number-matching', 'pick'],
    ],
    ['an empty name', ['tenant', 'create', '--name', ''], ['--name', 'at least 1 character']],
    [
      'text that nobody sees',
      ['tenant', 'create', '--name', 'Bank', '--generic-text', 'a\u202eb'],
      ['--generic-text', 'bidirectional'],
    ],
    ['no UUID', ['tenant', 'show', '--tenant', 'bank'], ['--tenant', 'UUID']],
    [
      'a category',
      ['target', 'pause', '--tenant', valid.tenant, '--category', 'all'],
      ['--category', 'public, log'],
    ],
    [
      'a stream',
      [...set, '--role-arn', valid.role, '--stream-arn', 'events'],
      ['--stream-arn', 'arn:aws:kinesis'],
    ],
    ['a role', [...set, '--stream-arn', valid.stream, '--role-arn', 'writer'], ['--role-arn', 'arn:aws:iam']],
    [
      'a short external id',
      [...set, '--stream-arn', valid.stream, '--role-arn', valid.role, '--external-id', 'short'],
      ['--external-id', '16'],
    ],
    [
      'a scope',
      ['client', 'create', '--tenant', valid.tenant, '--name', 'a', '--scope', 'all', 'root'],
      ['--scope'],
    ],
    [
      'a time without offset',
      ['replay', '--tenant', valid.tenant, '--category', 'log', '--from', '2026-03-01T08:00:00'],
      ['--from', '2026-03-01T08:30:00Z'],
    ],
    ['a user', ['device', 'list', '--tenant', valid.tenant, '--user', 'a/b'], ['--user', '1 to 128']],
    [
      'a nonce',
      ['notification', 'show', '--tenant', valid.tenant, '--nonce', 'short'],
      ['--nonce', '16 to 128'],
    ],
    ['a missing option', ['tenant', 'create'], ['--name']],
    ['an unknown option', ['doctor', '--loud'], ['--loud']],
    ['an unknown command', ['tenant', 'drop'], ['drop']],
    ['two that exclude each other', ['--local', '--region', 'eu-west-1', 'doctor'], ['--local', '--region']],
  ])('%s', async (_, args, named) => {
    const { code, out, err } = await omi(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    for (const text of named) expect(err).toContain(text);
  });
});

describe('a deployment that is not there', () => {
  test('locally: says how to start it', async () => {
    const { code, err } = await omi(['--local', 'tenant', 'list'], {
      environment: { OMI_STATE: '/nowhere' },
    });
    expect(code).toBe(1);
    expect(err).toContain('npm start');
  });

  test('in the cloud without a region: asks for one', async () => {
    const { code, err } = await omi(['tenant', 'list']);
    expect(code).toBe(1);
    expect(err).toContain('--region');
  });
});

describe('the program', () => {
  test.each([
    ['the launcher', process.execPath, ['bin/omi.mjs', '--version']],
    ['npx omi', 'npx', ['omi', '--version']],
  ])('%s starts it', (_, command, args) => {
    const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${manifest.version}\n` });
  });

  test('its exit code is that of the command', () => {
    const { status, stdout } = spawnSync(process.execPath, ['bin/omi.mjs', 'tenant'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
