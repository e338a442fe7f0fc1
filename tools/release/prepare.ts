/**
 * `npm run release:prepare -- <folder>`: makes all that a release publishes, up to the upload. The tarballs of the packages, the
 * bills of materials, and their sums. The same commit gives the same bytes in any folder and at any time.
 */
import { mkdir } from 'node:fs/promises';
import { writeBoms } from './boms.ts';
import { licenceFaults } from './licences.ts';
import { publishedPackages } from './published.ts';
import { packAll, writeSums } from './tarballs.ts';

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
