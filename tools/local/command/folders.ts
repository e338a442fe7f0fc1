import { StartError } from './start-error.ts';
import { FolderInUseError, type FolderLock, lockFolder } from './folder-lock.ts';
import type { Settings } from './settings.ts';

/**
 * Locks the stack's folders: two stacks would overwrite each other's description and data.
 *
 * @throws {StartError}
 */
export async function lockFolders({ directory, dataDirectory }: Settings): Promise<DisposableStack> {
  using locks = new DisposableStack();
  for (const folder of new Set([directory, dataDirectory])) {
    if (!folder) continue;
    const { release } = await lock(folder, folder === directory ? 'OMI_STATE' : 'OMI_DATA');
    locks.defer(release);
  }
  return locks.move();
}

/** Codes for a path that is no folder, or not writable. */
const unusable = new Set(['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG']);

/** @param variable of the environment that names the folder */
async function lock(folder: string, variable: string): Promise<FolderLock> {
  try {
    return await lockFolder(folder);
  } catch (error) {
    if (error instanceof FolderInUseError)
      throw new StartError(
        `A local stack is already running in ${error.folder} (process ${error.pid}). Stop it, or set ${variable} to ` +
          'another folder.',
      );
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!unusable.has(code)) throw error;
    throw new StartError(`${variable} must be a writable folder; ${folder} is not (${code}).`);
  }
}
