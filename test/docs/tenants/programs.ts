/** Runs the examples of docs/examples as programs of their own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

type Program = { command: string; args: string[]; env?: Record<string, string>; input?: string };

/** What it prints. */
async function run({ command, args, env, input = '' }: Program): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${errors}`);
  return output;
}

export const runTypeScript = async (example: string, ...args: string[]): Promise<string> =>
  await run({ command: process.execPath, args: [`docs/examples/typescript/${example}.ts`, ...args] });

const folder = 'docs/examples/python';

/** No compiled files in the repository, and UTF-8 whatever the machine's language. */
const env = {
  PYTHONPATH: `${folder}:packages/python`,
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUTF8: '1',
  AWS_DEFAULT_REGION: 'eu-central-1',
};

export const runPython = async (example: string, ...args: string[]): Promise<string> =>
  await run({ command: 'python3', args: [`${folder}/${example}.py`, ...args], env });

/** Without boto3: an example that gets its bytes from standard input. */
export const feedPython = async (given: object, more: Record<string, string> = {}): Promise<string> =>
  await run({
    command: 'python3',
    args: ['test/docs/tenants/feed.py'],
    env: { ...env, ...more },
    input: JSON.stringify(given),
  });

const works = (code: string): boolean => spawnSync('python3', ['-c', code]).status === 0;

/** A program of the tests that uses the examples, while it runs. */
export const startPython = (script: string) =>
  spawn('python3', [script], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });

/** What a program of the tests prints that uses the examples. */
export const runWithExamples = async (script: string, input = ''): Promise<string> =>
  await run({ command: 'python3', args: [script], env, input });

export const hasPython = works('import sys, requests, cryptography; assert sys.version_info >= (3, 9)');
export const hasBoto3 = hasPython && works('import boto3');

// Jest names skipped tests only when it runs a single file.
if (!hasPython)
  process.stderr.write(
    'The Python package is not tested: no python3, 3.9 or newer, with requests and cryptography is here.\n',
  );
if (hasPython && !hasBoto3)
  process.stderr.write('The Python readers are tested without boto3, which is not here.\n');
