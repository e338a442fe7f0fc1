import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../../client/http.ts';
import { readStackFile, type StackFile } from '../../local/client/local-stack.ts';
import { end, ended, startNode, type Server } from './server.ts';

export type LocalStack = Server & {
  file: StackFile;
  /** The folder of its state. */
  directory: string;
};

/** Starts the whole service for the benchmark, with its state in its own folder. */
export async function startStack(): Promise<LocalStack> {
  const directory = await mkdtemp(join(tmpdir(), 'omi-bench-'));
  const child = startNode(['tools/local/start.ts'], { OMI_PORT: '0', OMI_STATE: directory });
  // The benchmark does not need the output.
  child.stdout?.resume();
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const file = await Promise.race([ready(directory), ended(child, 'The local stack')]);
    return { url: file.baseUrl, pid: file.pid, file, directory, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Uses a running local stack and does not stop it. */
export async function runningStack(directory: string): Promise<LocalStack> {
  const file = await readStackFile(directory);
  return { url: file.baseUrl, pid: file.pid, file, directory, stop: () => Promise.resolve() };
}

async function ready(directory: string): Promise<StackFile> {
  for (;;) {
    try {
      return await readStackFile(directory);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      await sleep(100);
    }
  }
}
