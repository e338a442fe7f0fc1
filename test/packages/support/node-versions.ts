import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { installProgram } from './npm-programs.ts';

const run = promisify(execFile);

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
  const found = [process.execPath, ...folders.map((folder) => join(folder, 'node'))];
  for (const program of found.filter(existsSync))
    if ((await versionOf(program)).startsWith(`v${major}.`)) return program;
  return await installProgram({
    title: `Node.js ${major}`,
    packageName: `node-${process.platform}-${process.arch}`,
    version: String(major),
    path: 'bin/node',
  });
}
