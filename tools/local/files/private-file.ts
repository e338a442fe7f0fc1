import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes the file atomically. It has secrets, so it is always a new file that only its owner can read, even if a readable
 * file, a link or a folder had its name before.
 */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    // `wx` fails if the file exists, and follows no link.
    await writeFile(unfinished, content, { flag: 'wx', mode: 0o600 });
    await chmod(unfinished, 0o600);
    removeFile(file);
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Removes a link, but not its target. */
export function removeFile(file: string): void {
  rmSync(file, { recursive: true, force: true });
}
