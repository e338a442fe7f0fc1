/**
 * `npm test`: the static checks, and the suites of the first sitting. `npm run test:all`: the suites of the second. Further
 * arguments are jest's.
 *
 * A few suites that fail run once more, without others beside them: many wait for processes and time limits, and a busy
 * machine may be late. Those that pass then are named, because each of them is a fault to look for.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programs } from './programs.ts';
import { failedSuites } from './failed-suites.ts';
import { secondSitting } from './sittings.ts';

/** More than these fail for a reason. */
const MOST_REPEATED = 4;

const folder = mkdtempSync(join(tmpdir(), 'omi-test-results-'));
const results = join(folder, 'results.json');

const [sitting, ...args] = process.argv.slice(2);
const isSecond = sitting === 'second';
const selection = [isSecond ? '--testPathPatterns' : '--testPathIgnorePatterns', ...secondSitting];

const { suites, checks } = await programs({
  suites: [['jest', '--json', `--outputFile=${results}`, ...args, ...selection]],
  checks: isSecond ? [] : [['types'], ['docs:check'], ['lint']],
});
process.exitCode = checks && (suites || (await passWhenRepeated())) ? 0 : 1;
rmSync(folder, { recursive: true });

async function passWhenRepeated(): Promise<boolean> {
  const failed = existsSync(results) ? failedSuites(readFileSync(results, 'utf8')) : [];
  if (failed.length === 0 || failed.length > MOST_REPEATED) return false;
  console.error(`\nOnce more, alone: ${failed.join(', ')}`);
  const repeated = await programs({
    suites: [['jest', '--runInBand', '--runTestsByPath', ...failed]],
    checks: [],
  });
  if (repeated.suites) console.error(`\nUnstable: ${failed.join(', ')} failed, and passed when run alone.`);
  return repeated.suites;
}
