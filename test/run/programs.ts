import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

/** A script of package.json and its arguments. */
export type Script = readonly [name: string, ...args: string[]];

type Programs = {
  /** Show what they do while they do it. */
  suites: readonly Script[] | Promise<readonly Script[]>;
  /** Run when the suites leave a processor idle, and are heard of when they end. */
  checks: readonly Script[];
};

/**
 * Runs all of them, also when one fails.
 *
 * @returns whether all suites and all checks passed
 */
export async function programs({ suites, checks }: Programs): Promise<Record<keyof Programs, boolean>> {
  const checking = inOrder(checks, runQuietly);
  const [failedSuites, failedChecks] = await Promise.all([inOrder(await suites, runShown), checking]);
  const failed = [...failedSuites, ...failedChecks];
  if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}.`);
  return { suites: failedSuites.length === 0, checks: failedChecks.length === 0 };
}

/** @returns the names of those that failed */
async function inOrder(
  scripts: readonly Script[],
  run: (script: Script) => Promise<boolean>,
): Promise<string[]> {
  const failed: string[] = [];
  for (const script of scripts) if (!(await run(script))) failed.push(script[0]);
  return failed;
}

const npmRun = ([name, ...args]: Script): string[] => ['run', '--silent', name, '--', ...args];

async function runShown(script: Script): Promise<boolean> {
  return await succeeds(spawn('npm', npmRun(script), { stdio: 'inherit' }));
}

async function runQuietly(script: Script): Promise<boolean> {
  const begun = performance.now();
  const child = spawn('npm', npmRun(script), { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const [isGood, output, errors] = await Promise.all([
    succeeds(child),
    text(child.stdout),
    text(child.stderr),
  ]);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  console.error(`${isGood ? 'PASS' : 'FAIL'} npm run ${script[0]} (${seconds} s)`);
  if (!isGood) console.error(`${output}${errors}`);
  return isGood;
}

async function succeeds(child: ChildProcess): Promise<boolean> {
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}
