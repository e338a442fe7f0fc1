import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Programs of other versions, of npm; kept, so that they are downloaded only once. */
const cache = resolve('node_modules/.cache/node-versions');
const MINUTE = 60_000;

async function versionOf(program: string): Promise<string> {
  const { stdout } = await run(program, ['--version']);
  return stdout.trim();
}

/**
 * A program of this major version of Node.js: this process's, one on the PATH, or one that npm installs.
 *
 * @returns undefined if there is none and none can be installed
 */
export async function findNode(major: number): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = [process.execPath, ...folders.map((folder) => join(folder, 'node')), installedIn(major)];
  for (const program of found.filter(existsSync))
    if ((await versionOf(program)).startsWith(`v${major}.`)) return program;
  return await installNode(major);
}

const packageName = `node-${process.platform}-${process.arch}`;
const folderOf = (major: number): string => join(cache, String(major));
const installedIn = (major: number): string =>
  join(folderOf(major), 'node_modules', packageName, 'bin', 'node');

async function installNode(major: number): Promise<string | undefined> {
  const options = ['--no-save', '--ignore-scripts', '--fetch-retries=0', '--prefix', folderOf(major)];
  try {
    await run('npm', ['install', ...options, `${packageName}@${major}`], { timeout: 2 * MINUTE });
    return installedIn(major);
  } catch (error) {
    process.stderr.write(
      `There is no Node.js ${major} here, and npm did not install one: ${String(error)}\n`,
    );
    return undefined;
  }
}
