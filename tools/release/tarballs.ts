/** The tarballs that a release publishes, and the sums by which others compare them. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Published } from './published.ts';

export async function packAll(root: string, folder: string, packages: readonly Published[]): Promise<void> {
  const names = packages.map(({ name }) => `--workspace=${name}`);
  const options = ['--pack-destination', resolve(folder), '--loglevel=error'];
  await promisify(execFile)('npm', ['pack', ...names, ...options], { cwd: root });
}

/** Writes `SHA256SUMS`, which `sha256sum --check` reads. */
export async function writeSums(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').toSorted();
  const lines = files.map(async (name) => {
    const sum = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
    return `${sum}  ${name}\n`;
  });
  const sums = (await Promise.all(lines)).join('');
  await writeFile(join(folder, 'SHA256SUMS'), sums);
  return sums;
}
