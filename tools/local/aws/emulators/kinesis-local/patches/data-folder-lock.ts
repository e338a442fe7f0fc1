import { setTimeout as sleep } from 'node:timers/promises';
import { type FolderLock, FolderInUseError, lockFolder } from '../../../../command/folder-lock.ts';

const retryMs = 50;
/** Longer than an emulator takes to write its data for the last time. */
const longestWaitMs = 35_000;

/**
 * Locks the data folder, once the emulator of the previous stack has written its data.
 *
 * Remove when kinesis-local locks the folder that it writes to.
 *
 * @throws {FolderInUseError} if the other emulator does not exit
 */
export async function waitForFolderLock(folder: string): Promise<FolderLock> {
  const deadline = Date.now() + longestWaitMs;
  for (;;) {
    try {
      return await lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || Date.now() > deadline) throw error;
      await sleep(retryMs);
    }
  }
}
