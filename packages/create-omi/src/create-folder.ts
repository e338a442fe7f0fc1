import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder cannot be made, for a reason that its user can mend. */
export class FolderError extends Error {}

const template = fileURLToPath(new URL('../template', import.meta.url));

/** What npm accepts as a name: https://docs.npmjs.com/cli/v11/configuring-npm/package-json#name */
const packageNameOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+/, '') || 'omi-stages';

/**
 * @param name of the project, in its package.json
 * @throws {FolderError} if there is something at the path
 */
export async function createFolder(folder: string, name: string): Promise<void> {
  await makeEmpty(folder);
  await cp(template, folder, { recursive: true });
  // A package cannot contain a file of this name: npm reads it, and leaves it out.
  await rename(join(folder, 'gitignore'), join(folder, '.gitignore'));
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, `${JSON.stringify({ name: packageNameOf(name), ...manifest }, null, 2)}\n`);
}

async function makeEmpty(folder: string): Promise<void> {
  const found = await mkdir(folder, { recursive: true })
    .then(async () => await readdir(folder))
    .catch((error: unknown) => {
      throw new FolderError(error instanceof Error ? error.message : String(error));
    });
  if (found.length > 0)
    throw new FolderError(
      `${folder} is not empty: it has ${found.slice(0, 3).join(', ')}. Name a new folder.`,
    );
}
