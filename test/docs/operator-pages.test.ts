/** Every command in the pages that people work by exists, with its options. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parse } from '../cli/command-lines.ts';

const run = promisify(execFile);

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/first-deployment.md',
  ...readdirSync('docs/operations').map((name) => join('docs/operations', name)),
];
const textOf = (page: string): string => readFileSync(page, 'utf8');

/** The command lines of a page's blocks, each in one line, and those in the text. */
function commandsOf(page: string): string[] {
  const text = textOf(page);
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'));
  const inText = [...text.replaceAll(/```.*?```/gs, '').matchAll(/`([^`]+)`/g)].map(([, line = '']) => line);
  return [...lines, ...inText.map((line) => line.replaceAll(/\s+/g, ' '))].map((line) => line.trim());
}

/** A page's own placeholders, as values that the commands take. */
const filled = (line: string): string =>
  line
    .replaceAll(/\s+#.*$/g, '')
    .replaceAll(/<tenant id>|"?\$TENANT"?/g, '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01')
    .replaceAll(/"?\$CLIENT_ID"?/g, '4ng8q1d5p6v2example')
    .replaceAll(/"?\$NONCE"?/g, '8f2c1e0b7d6a4f93')
    .replaceAll(/--stream-arn <arn>/g, '--stream-arn arn:aws:kinesis:eu-central-1:111122223333:stream/events')
    .replaceAll(/--role-arn <arn>/g, '--role-arn arn:aws:iam::111122223333:role/omi-event-export')
    .replaceAll(/--(external-id|client) <id>/g, '--$1 k7Qm2xV9sLr4tWp8');

const startingWith = (prefix: string): [string, string][] =>
  pages.flatMap((page) =>
    commandsOf(page)
      .filter((line) => line.startsWith(prefix) && !line.includes('…'))
      .map((line): [string, string] => [page, line]),
  );

/** Words without options are the names of commands, as in running text. */
const isWhole = (line: string): boolean => / --(?!help)/.test(line);
const omiLines = startingWith('npx omi ').map(([page, line]): [string, string] => [
  page,
  filled(line.slice('npx omi '.length)),
]);

describe('a documented command of npx omi', () => {
  test.each(omiLines.filter(([, line]) => isWhole(line) || /^(doctor|smoke)$/.test(line)))(
    'is valid on %s: %s',
    async (_, line) => {
      await expect(parse(line)).resolves.toBeDefined();
    },
  );

  test.each(omiLines.filter(([, line]) => !isWhole(line)))('is named on %s: %s', async (_, line) => {
    // Help ends the program, with the code 0 for a command that is there.
    await expect(parse(`${line.replace(/ --help$/, '')} --help`)).rejects.toMatchObject({ exitCode: 0 });
  });
});

describe('a documented command of npx cdk', () => {
  const help = new Map<string, Promise<string>>();
  const helpOf = async (command: string): Promise<string> => {
    const asked =
      help.get(command) ?? run('node_modules/.bin/cdk', [command, '--help']).then(({ stdout }) => stdout);
    help.set(command, asked);
    return await asked;
  };

  test.each(startingWith('npx cdk '))('is valid on %s: %s', async (_, line) => {
    const [, , command = '', ...words] = line.replaceAll(/\s+#.*$/g, '').split(' ');
    const text = await helpOf(command);
    expect(text).toContain(`cdk ${command}`);
    for (const word of words.filter((one) => one.startsWith('-')))
      // The help names an option without its "no-".
      expect(text).toMatch(new RegExp(`[ ,]--?${word.replaceAll(/^-+(no-)?/g, '')}[ ,]`));
  });
});

describe('a documented command of npm run', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  test.each(startingWith('npm run '))('exists on %s: %s', (_, line) => {
    expect(Object.keys(scripts)).toContain(line.split(' ')[2]);
  });
});

const packages: Record<string, string> = {
  cloudformation: 'cloudformation',
  codedeploy: 'codedeploy',
  deploy: 'codedeploy',
  kinesis: 'kinesis',
  iam: 'iam',
  kms: 'kms',
  lambda: 'lambda',
  secretsmanager: 'secrets-manager',
  sns: 'sns',
  sqs: 'sqs',
  sts: 'sts',
};
const pascal = (words: string): string =>
  words.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('a documented command of aws', () => {
  const lines = startingWith('aws ').filter(([, line]) => existsSync(folderOf(line)));

  test('can be looked up in most cases', () => {
    expect(lines.length).toBeGreaterThan(5);
  });

  test.each(lines)('is valid on %s: %s', (_, line) => {
    // Without the shell's own calls in a value.
    const [, , call = '', ...words] = line.replaceAll(/"\$\(.*\)"/g, '').split(' ');
    const types = readdirSync(join(folderOf(line), 'dist-types/commands'));
    expect(types).toContain(`${pascal(call)}Command.d.ts`);
    const models = readFileSync(join(folderOf(line), 'dist-types/models/models_0.d.ts'), 'utf8');
    const options = words
      .filter((word) => /^--[a-z]/.test(word))
      .map((word) => word.slice(2).split('=')[0] ?? '');
    const members = new Set(
      [...models.matchAll(/^\s+(\w+)\??:/gm)].map(([, name = '']) => name.toLowerCase()),
    );
    const isKnown = (option: string): boolean =>
      global.has(option) || members.has(pascal(option.replace(/^no-/, '')).toLowerCase());
    expect(options.filter((option) => !isKnown(option))).toEqual([]);
  });

  /** Of the CLI itself; the last is its name for the API's `Endpoint`. */
  const global = new Set(['region', 'profile', 'output', 'query', 'notification-endpoint']);

  function folderOf(line: string): string {
    return `node_modules/@aws-sdk/client-${packages[line.split(' ')[1] ?? ''] ?? 'none'}`;
  }
});
