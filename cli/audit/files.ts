import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConsumerError, decodeObject, type Event, isKeyDocument, type OmiKeys } from '#consumer';
import { UsageError } from '../command-error.ts';

/** @throws {UsageError} if the file cannot be read */
export async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
}

/** The text itself, or that of the file after `@`. */
export const textOrFile = async (given: string): Promise<string> =>
  given.startsWith('@') ? await textOf(given.slice(1)) : given;

/** @throws {UsageError} if the file is not JSON */
export async function jsonOf(file: string): Promise<unknown> {
  const text = await textOf(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON.`);
  }
}

/** @throws {UsageError} if the file has no keys of the service */
export async function keysOf(file: string): Promise<OmiKeys> {
  const document = await jsonOf(file);
  if (isKeyDocument(document)) return document;
  throw new UsageError(
    `${file} has no keys of the service. Expected what GET /.well-known/omi-keys answers: {"keys":[{"kid":…,"for":"receipt","from":…}]}`,
  );
}

/**
 * The events of files with JSON lines, and of all files in folders.
 *
 * @throws {UsageError} if a file cannot be read, or has something else
 */
export async function* eventsOf(paths: readonly string[]): AsyncGenerator<Event> {
  for (const path of paths)
    for (const file of await filesAt(path)) {
      try {
        yield* decodeObject(createReadStream(file));
      } catch (cause) {
        if (!(cause instanceof ConsumerError)) throw unreadable(file, cause);
        throw new UsageError(
          `${file} has no exported events. ${cause.message} Expected lines like {"events":[…]}.`,
          {
            cause,
          },
        );
      }
    }
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

function unreadable(file: string, cause: unknown): UsageError {
  const { code } = cause as NodeJS.ErrnoException;
  return new UsageError(
    code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${code ?? String(cause)}.`,
    { cause },
  );
}
