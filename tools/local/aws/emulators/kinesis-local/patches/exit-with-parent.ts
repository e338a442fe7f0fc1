/**
 * The emulator exits when its standard input ends, so that a killed parent leaves no orphan. Before that it writes its data
 * once more.
 *
 * Remove when kinesis-local exits with its parent, and writes its data when it is asked to exit.
 */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FolderLock } from '../../../../command/folder-lock.ts';
import { onWritten } from './atomic-writes.ts';
import { waitForFolderLock } from './data-folder-lock.ts';

const { OMI_KINESIS_SOCKET = '', SHOULD_PERSIST_DATA, PERSIST_PATH = '' } = process.env;

/** The emulator writes every second; large data take longer. */
const longestLastWriteMs = 30_000;

let lock: FolderLock | undefined;

function exit(): void {
  lock?.release();
  process.exit(0);
}

process.once('exit', () => rmSync(dirname(OMI_KINESIS_SOCKET), { recursive: true, force: true }));

process.stdin.resume().once('end', () => {
  // Without a lock there are no data to write.
  if (!lock) exit();
  const endedAt = performance.now();
  // A write that had begun before may lack the latest changes.
  onWritten((begunAt) => {
    if (begunAt > endedAt) exit();
  });
  setTimeout(exit, longestLastWriteMs);
});

if (SHOULD_PERSIST_DATA === 'true') lock = await waitForFolderLock(PERSIST_PATH);
