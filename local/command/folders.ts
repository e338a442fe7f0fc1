import { StartError } from './start-error.ts';
import { FolderInUseError, type FolderLock, lockFolder } from './folder-lock.ts';
import type { Settings } from './settings.ts';

/**
 * Takes the stack's folders for this process alone: two stacks would overwrite each other's description and data.
 *
 * @throws {StartError}
 */
export async function takeFolders({ directory, dataDirectory }: Settings): Promise<DisposableStack> {
  using locks = new DisposableStack();
  for (const folder of new Set([directory, dataDirectory])) {
    if (!folder) continue;
    const { release } = await lock(folder, folder === directory ? 'OMI_STATE' : 'OMI_DATA');
    locks.defer(release);
  }
  return locks.move();
}

/** What a folder cannot be, or not for this user. */
const unusable = new Set(['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG']);

/** @param variable that names the folder */
async function lock(folder: string, variable: string): Promise<FolderLock> {
  try {
    return await lockFolder(folder);
  } catch (error) {
    if (error instanceof FolderInUseError)
      throw new StartError(
        `A local stack runs in ${error.folder} already (process ${error.pid}). End that one first, or give this one ` +
          `a folder of its own: ${variable}.`,
      );
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!unusable.has(code)) throw error;
    throw new StartError(
      `${variable} must name a folder that can be written to; ${folder} is none (${code}).`,
    );
  }
}
