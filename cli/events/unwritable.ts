import { CommandError } from '../command-error.ts';

/** By the codes of Node.js. */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'Its folder does not exist.',
  EEXIST: 'A part of its path is a file, not a folder.',
  ENOTDIR: 'A part of its path is a file, not a folder.',
  EACCES: 'You have no permission for its folder.',
  EPERM: 'You have no permission for its folder.',
  EROFS: 'Its folder is read-only.',
  ENAMETOOLONG: 'Its name is too long.',
  ENOSPC: 'The disk is full.',
};

/** @returns the error of a file that cannot be created, in words if they are known */
export function unwritable(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = words[code];
  return why === undefined
    ? error
    : new CommandError(`${file} cannot be written. ${why}`, 'Choose another --out.');
}
