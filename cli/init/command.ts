import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import * as v from 'valibot';
import { CommandError } from '../command-error.ts';
import { topCommand } from '../command.ts';
import type { Id } from '../ids.ts';
import { parserOf } from '../options.ts';
import type { Session } from '../session.ts';
import { appFiles } from './files.ts';

const folderId: Id = {
  name: 'folder',
  placeholder: 'folder',
  description: 'a new or empty folder',
  parse: parserOf(v.pipe(v.string(), v.nonEmpty()), { expected: 'the path of a folder', example: 'my-omi' }),
};

export const initCommand = topCommand<{ folder: string }>({
  ids: [folderId],
  examples: ['init my-omi'],
  run: init,
});

async function init(session: Session, { folder }: { folder: string }): Promise<void> {
  await orAdvise(makeEmpty(folder), 'Name a new or empty folder, in a place where you may write.');
  const files = Object.entries(appFiles(basename(resolve(folder))));
  await orAdvise(
    writeAll(folder, files),
    `The app is not complete. Delete what is in ${folder}, and run the command again or name another folder.`,
  );
  const there = relative('', folder);
  const steps = [...(there === '' ? [] : [`cd ${quoted(there)}`]), 'npm install', 'npx omi preflight'];
  const made = files.map(([path]) => path);
  session.print(
    { folder: resolve(folder), files: made },
    `Made ${made.join(', ')} in ${there || 'this folder'}. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}\n` +
      'README.md has the other steps. The settings of your stages are in cdk.json.',
  );
}

const quoted = (path: string): string =>
  /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** @throws {CommandError} if there is something in the folder */
async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const found = await readdir(folder);
  if (found.length > 0)
    throw new CommandError(
      `${folder} is not empty: it has ${found.slice(0, 3).join(', ')}.`,
      'Nothing was changed. Name a new or empty folder. If an init that was interrupted made these files, delete them.',
    );
}

async function writeAll(folder: string, files: readonly [path: string, text: string][]): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Errors of the file system name the path, and not what to do. */
async function orAdvise(work: Promise<void>, hint: string): Promise<void> {
  await work.catch((error: unknown) => {
    throw error instanceof Error && 'syscall' in error ? new CommandError(error.message, hint) : error;
  });
}
