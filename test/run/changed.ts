/**
 * `npm run test:changed`: types, and lint and suites of what differs from the last commit, or, where nothing does, of what the
 * branch changed. Suites far from the change, and those that start a local stack, are left to `npm test`, except suites that
 * were changed themselves.
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

/** As many take well under 20 s. Nearly every suite is related to a change in the kernel: those are for `npm test`. */
const MOST_SUITES = 12;

/** How many folders a suite and a changed file have in common, as tests are in the folders of their subjects. */
const nearness = (suite: string, files: readonly string[]): number => {
  const folders = suite
    .replace(/^test\//, '')
    .replace('.test.ts', '.ts')
    .split('/');
  const common = (file: string): number => {
    const parts = file.replace(/^test\//, '').split('/');
    const first = parts.findIndex((part, index) => part !== folders[index]);
    return first === -1 ? parts.length : first;
  };
  return Math.max(...files.map(common));
};

async function suitesOf(changed: readonly string[], code: readonly string[]): Promise<Script[]> {
  const related = code.length > 0 ? await relatedSuites(code) : [];
  const own = related.filter((suite) => changed.includes(suite));
  const others = related.filter((suite) => !changed.includes(suite) && !startsStack(suite));
  const nearest = others.toSorted((a, b) => nearness(b, code) - nearness(a, code)).slice(0, MOST_SUITES);
  const suites = [...own, ...nearest];
  const left = related.length - suites.length;
  console.error(
    `${changed.length} files changed: ${suites.length} suites; ${left} more are left to npm test.`,
  );
  return suites.length > 0 ? [['jest', '--runTestsByPath', ...suites]] : [];
}

const changed = changedFiles();
const code = changed.filter((file) => /\.[cm]?[jt]sx?$/.test(file));

const checks: Script[] = [['types']];
if (code.length > 0) checks.push(['lint:files', ...code]);
if (changed.length > 0) checks.push(['format:files', ...changed]);
if (changed.some((file) => /^(docs|lambdas)\//.test(file))) checks.push(['docs:check']);
const passed = await programs({ suites: suitesOf(changed, code), checks });
process.exitCode = passed.suites && passed.checks ? 0 : 1;
