import { setTimeout as wait } from 'node:timers/promises';
import { type FolderLock, FolderInUseError, lockFolder } from '../../../../command/folder-lock.ts';

const BETWEEN_LOOKS_MS = 50;
/** More than an emulator gives itself to write its data for the last time. */
const LONGEST_HANDOVER_MS = 35_000;

/**
 * Takes the folder of the data: the emulator of a stack before this one may still be writing what this one is to read.
 *
 * @throws {FolderInUseError} where that one does not end
 */
export async function waitForFolderLock(folder: string): Promise<FolderLock> {
  const end = Date.now() + LONGEST_HANDOVER_MS;
  for (;;) {
    try {
      return await lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || Date.now() > end) throw error;
      await wait(BETWEEN_LOOKS_MS);
    }
  }
}
