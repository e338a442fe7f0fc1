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
  await makeEmpty(folder);
  const files = Object.entries(appFiles(basename(resolve(folder))));
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
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

/** @throws {CommandError} if there is something at the path */
async function makeEmpty(folder: string): Promise<void> {
  const found = await mkdir(folder, { recursive: true })
    .then(async () => await readdir(folder))
    .catch((error: unknown) => {
      throw new CommandError(error instanceof Error ? error.message : String(error));
    });
  if (found.length > 0)
    throw new CommandError(
      `${folder} is not empty: it has ${found.slice(0, 3).join(', ')}.`,
      'Nothing was changed. Name a new or empty folder.',
    );
}
