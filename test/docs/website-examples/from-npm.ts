import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { longestWaitMs } from '../../support/waiting.ts';

const run = promisify(execFile);

/** Outside of every `node_modules`, in which some tools compile nothing. */
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'omi-tests');

/**
 * A folder with these packages of npm installed, kept so that they are downloaded only once.
 *
 * @param packages with exact versions
 * @returns undefined if npm cannot install them
 */
export async function fromNpm(packages: readonly string[]): Promise<string | undefined> {
  const folder = join(cache, packages.join('+').replaceAll('/', '-'));
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, 'package.json'), '{ "private": true, "type": "module" }');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
    await run('npm', ['install', ...options, ...packages], { cwd: unfinished, timeout: longestWaitMs });
    await rename(unfinished, folder);
    return folder;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    process.stderr.write(`npm did not install ${packages.join(', ')}: ${String(error)}\n`);
    return undefined;
  }
}
