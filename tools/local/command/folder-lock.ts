import { once } from 'node:events';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { link, mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';

/** Another running process uses the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  readonly folder: string;
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(`The process ${pid} uses ${folder}`);
    this.folder = folder;
    this.pid = pid;
  }
}

export type FolderLock = { release: () => void };

const fileName = 'lock.json';

/** A busy holder may need some time. */
const longestAnswerMs = 2_000;

const holderSchema = v.object({ pid: v.number(), port: v.number() });
type Holder = v.InferOutput<typeof holderSchema>;

/**
 * Creates and locks the folder. The holder of a lock answers at the port in the lock file, so the lock of a killed process
 * is recognised, even if another process has its id now.
 *
 * @throws {FolderInUseError}
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, fileName);
  const greeting = `${process.pid} ${realpathSync(folder)}`;
  const server = createServer((socket) => socket.on('error', () => undefined).end(greeting));
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await claim(file, folder, { pid: process.pid, port });
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    release: () => {
      server.close();
      rmSync(file, { force: true });
    },
  };
}

async function claim(file: string, folder: string, holder: Holder): Promise<void> {
  if (await tryClaim(file, holder)) return;
  const other = readHolder(file);
  if (other && (await answersFor(other, folder))) throw new FolderInUseError(folder, other.pid);
  rmSync(file, { force: true });
  if (await tryClaim(file, holder)) return;
  // Another process replaced the dead lock first.
  throw new FolderInUseError(folder, readHolder(file)?.pid ?? 0);
}

/** Linking is atomic: nobody reads an incomplete lock. */
async function tryClaim(file: string, holder: Holder): Promise<boolean> {
  const written = `${file}.${holder.pid}`;
  await writeFile(written, JSON.stringify(holder), { mode: 0o600 });
  try {
    await link(written, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(written);
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return v.parse(holderSchema, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

async function answersFor({ pid, port }: Holder, folder: string): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').setTimeout(longestAnswerMs, () => socket.destroy());
  const greeting = await text(socket).catch(() => '');
  return greeting === `${pid} ${realpathSync(folder)}`;
}
