/**
 * `npm run test:changed`: types, and lint and suites of what differs from the last commit, or, where nothing does, of what the
 * branch changed. Suites that start a local stack are left to `npm test`, except those that were changed themselves.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import { programs, type Script } from './programs.ts';

const LARGEST_OUTPUT = 16 * 1024 * 1024;

const lines = (command: string, ...args: string[]): string[] =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: LARGEST_OUTPUT })
    .split('\n')
    .filter((line) => line !== '');

function changedFiles(): string[] {
  const edited = [
    ...lines('git', 'diff', '--name-only', '--relative', 'HEAD'),
    ...lines('git', 'ls-files', '--others', '--exclude-standard'),
  ];
  const changed =
    edited.length > 0 ? edited : lines('git', 'diff', '--name-only', '--relative', 'main...HEAD');
  return changed.filter((file) => existsSync(file));
}

async function relatedSuites(files: readonly string[]): Promise<string[]> {
  const command = ['run', '--silent', 'jest', '--', '--listTests', '--findRelatedTests', ...files];
  const { stdout } = await promisify(execFile)('npm', command, { maxBuffer: LARGEST_OUTPUT });
  const listed = stdout.split('\n').filter((path) => path.endsWith('.test.ts'));
  return listed.map((path) => relative('.', path));
}

const startsStack = (suite: string): boolean =>
  /\/(use-stack|own-stack|running)\.ts'/.test(readFileSync(suite, 'utf8'));

async function suitesOf(changed: readonly string[], code: readonly string[]): Promise<Script[]> {
  const related = code.length > 0 ? await relatedSuites(code) : [];
  const suites = related.filter((suite) => changed.includes(suite) || !startsStack(suite));
  const left = related.length - suites.length;
  console.error(
    `${changed.length} files changed: ${suites.length} suites, without ${left} that start a local stack.`,
  );
  return suites.length > 0 ? [['jest', '--runTestsByPath', ...suites]] : [];
}

const changed = changedFiles();
const code = changed.filter((file) => /\.[cm]?[jt]s$/.test(file));

const checks: Script[] = [['types']];
if (code.length > 0) checks.push(['lint:files', ...code]);
if (changed.length > 0) checks.push(['format:files', ...changed]);
if (changed.some((file) => /^(docs|lambdas)\//.test(file))) checks.push(['docs:check']);
process.exitCode = await programs({ suites: suitesOf(changed, code), checks });
