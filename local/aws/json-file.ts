import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A stand-in's state in a file; without a path it lives and dies in memory. */
export type JsonFile<State> = {
  /** The state that was saved last, if any. */
  readonly saved: State | undefined;
  /** Saves soon; changes that come together are written once. */
  changed(): void;
  /** Resolves when everything that changed is on the disk. */
  flush: () => Promise<void>;
};

/** Says what the file has to hold now. */
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
    // Written elsewhere and renamed: a process that ends halfway leaves the earlier state whole.
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
