/**
 * `npm test`: the static checks beside the suites. Arguments are jest's.
 *
 * A few suites that fail run once more, without others beside them: many wait for processes and time limits, and a busy
 * machine may be late. Those that pass then are named, because each of them is a fault to look for.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programs } from './programs.ts';
import { failedSuites } from './failed-suites.ts';

/** More than these fail for a reason. */
const MOST_REPEATED = 4;

const folder = mkdtempSync(join(tmpdir(), 'omi-test-results-'));
const results = join(folder, 'results.json');

const { suites, checks } = await programs({
  suites: [['jest', '--json', `--outputFile=${results}`, ...process.argv.slice(2)]],
  checks: [['types'], ['docs:check'], ['lint']],
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
