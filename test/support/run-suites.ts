import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

type Suite = { name: string; status: string };
type Run = { code: number; suites: Suite[]; tests: number };

const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** Jest with the options. A run that ends without a result has failed. */
function jest(...options: string[]): Run {
  const folder = mkdtempSync(join(tmpdir(), 'omi-result-'));
  const file = join(folder, 'result.json');
  const program = [...node, 'node_modules/jest/bin/jest.js', ...options, '--json', `--outputFile=${file}`];
  try {
    const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' });
    const result = JSON.parse(readFileSync(file, 'utf8')) as { testResults: Suite[]; numTotalTests: number };
    return { code: status ?? 1, suites: result.testResults, tests: result.numTotalTests };
  } catch {
    return { code: 1, suites: [], tests: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const named = (run: Run, status: string): string[] =>
  run.suites.filter((suite) => suite.status === status).map((suite) => suite.name);

const options = process.argv.slice(2);
const first = jest(...options);
const failed = named(first, 'failed');
// A suite that fails may leave a server open, and would not end.
const last =
  failed.length > 0 ? jest(...options, '--runInBand', '--forceExit', '--runTestsByPath', ...failed) : first;
// One that skips tests has not "passed", but is "focused".
const unsteady = last.suites
  .filter(({ name, status }) => failed.includes(name) && status !== 'failed')
  .map(({ name }) => relative('.', name));
for (const name of unsteady) process.stderr.write(`unsteady: ${name}\n`);
process.stderr.write(`In all ${first.tests} tests, unsteady: ${unsteady.join(', ') || 'none'}\n`);
process.exitCode = last.code;
