/**
 * `npm run test:changed`: types, and lint and suites of what differs from the last commit, or, where nothing does, of what the
 * branch changed. Suites that start a local stack are left to `npm test`, except those that were changed themselves.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { programs, type Script } from './programs.ts';

const lines = (command: string, ...args: string[]): string[] =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
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

function relatedSuites(files: readonly string[]): string[] {
  const listed = lines('npm', 'run', '--silent', 'jest', '--', '--listTests', '--findRelatedTests', ...files);
  return listed.map((path) => relative('.', path)).filter((path) => path.endsWith('.test.ts'));
}

const startsStack = (suite: string): boolean =>
  /\/(use-stack|own-stack|running)\.ts'/.test(readFileSync(suite, 'utf8'));

const changed = changedFiles();
const code = changed.filter((file) => /\.[cm]?[jt]s$/.test(file));
const related = code.length > 0 ? relatedSuites(code) : [];
const suites = related.filter((suite) => changed.includes(suite) || !startsStack(suite));
console.error(
  `${changed.length} files changed; ${suites.length} suites, without ${related.length - suites.length} that start a local stack.`,
);

const checks: Script[] = [['types']];
if (code.length > 0) checks.push(['lint:files', ...code]);
if (changed.length > 0) checks.push(['format:files', ...changed]);
if (changed.some((file) => /^(docs|lambdas)\//.test(file))) checks.push(['docs:check']);
process.exitCode = await programs({
  suites: suites.length > 0 ? [['jest', '--runTestsByPath', ...suites]] : [],
  checks,
});
