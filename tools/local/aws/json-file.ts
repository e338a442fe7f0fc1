import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** State that is kept in a file, or only in memory if there is no path. */
export type JsonFile<State> = {
  /** The state that was saved last. */
  readonly saved: State | undefined;
  /** Saves soon. Several changes at once are written once. */
  changed(): void;
  /** Resolves when all changes are on the disk. */
  flush: () => Promise<void>;
};

/** Returns the state to save. */
export type Snapshot<State> = () => State;

export function openJsonFile<State>(path: string | undefined, snapshot: Snapshot<State>): JsonFile<State> {
  if (path === undefined)
    return { saved: undefined, changed: () => undefined, flush: () => Promise.resolve() };
  let isDirty = false;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    if (!isDirty) return;
    isDirty = false;
    await mkdir(dirname(path), { recursive: true });
    // Atomic: a process that is killed leaves the previous state complete.
    await writeFile(`${path}.new`, JSON.stringify(snapshot()));
    await rename(`${path}.new`, path);
  };
  return {
    saved: read(path) as State | undefined,
    changed: () => {
      if (isDirty) return;
      isDirty = true;
      writing = writing.then(write);
    },
    flush: () => writing,
  };
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
