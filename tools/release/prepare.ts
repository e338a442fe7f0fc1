/**
 * `npm run release:prepare -- <folder>`: makes all that a release publishes, up to the upload. The tarballs of the packages, the
 * bills of materials, and their sums. The same commit gives the same bytes of tarballs in any folder and at any time.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { writeBoms } from './boms.ts';
import { licenceFaults } from './licences.ts';
import { publishedPackages, type Published } from './published.ts';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

async function packAll(root: string, folder: string, packages: readonly Published[]): Promise<void> {
  const names = packages.map(({ name }) => `--workspace=${name}`);
  const options = ['--pack-destination', resolve(folder), '--loglevel=error'];
  await promisify(execFile)('npm', ['pack', ...names, ...options], { cwd: root });
}

/** Writes `SHA256SUMS`, which `sha256sum --check` reads. */
async function writeSums(folder: string): Promise<string> {
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

const root = process.cwd();
const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('-') || more.length > 0) {
  console.error(
    'Usage: npm run release:prepare -- <folder>\n\nThe folder is created. Run it in the root of the repository.',
  );
  process.exit(2);
}
await mkdir(folder, { recursive: true });
const packages = publishedPackages(root);
const boms = await writeBoms(root, folder, packages);
const faults = new Set(Object.values(boms).flatMap(licenceFaults));
if (faults.size > 0) {
  console.error([...faults].join('\n'));
  process.exit(1);
}
await packAll(root, folder, packages);
console.log(await writeSums(folder));
