import { StartRefused } from '../start-refused.ts';
import { FolderTaken, type FolderLock, lockFolder } from './folder-lock.ts';
import type { Settings } from './settings.ts';

/**
 * Takes the stack's folders for this process alone: two stacks would overwrite each other's description and data.
 *
 * @throws {StartRefused}
 */
export async function takeFolders({ directory, dataDirectory }: Settings): Promise<FolderLock> {
  const locks: FolderLock[] = [];
  const release = (): void => {
    for (const lock of locks) lock.release();
  };
  try {
    for (const folder of new Set([directory, dataDirectory]))
      if (folder) locks.push(await lockFolder(folder));
    return { release };
  } catch (error) {
    release();
    if (!(error instanceof FolderTaken)) throw error;
    throw new StartRefused(
      `A local stack runs in ${error.folder} already (process ${error.pid}). End that one first, or give this one ` +
        `a folder of its own: ${error.folder === directory ? 'OMI_STATE' : 'OMI_DATA'}.`,
    );
  }
}
