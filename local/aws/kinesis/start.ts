import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Emulator, startChild } from '../child.ts';
import { ACCOUNT_ID, REGION } from '../identity.ts';

const packageFolder = join(import.meta.dirname, '../../../node_modules/kinesis-local');

/** kinesis-local, in a process of its own. */
export async function startKinesis(dataDirectory?: string): Promise<Emulator> {
  if (dataDirectory !== undefined) await takeOver(dataDirectory);
  const args = ['--import', join(import.meta.dirname, 'loopback.ts'), join(packageFolder, 'main.js')];
  const child = startChild(process.execPath, args, {
    cwd: packageFolder,
    ...(dataDirectory !== undefined && { millisecondsToEnd: LONGEST_HANDOVER_MS }),
    env: { ...process.env, ...SETTINGS, ...(dataDirectory === undefined ? {} : persistence(dataDirectory)) },
  });
  if (dataDirectory !== undefined) await writeFile(pidFileIn(dataDirectory), String(child.pid));
  const [, port] = await child.firstLine(/^listening (\d+)$/m);
  return { endpoint: `http://127.0.0.1:${String(port)}`, exited: child.exited, close: () => child.close() };
}

const pidFileIn = (folder: string): string => join(folder, 'emulator.pid');

const BETWEEN_LOOKS_MS = 50;
/** More than an emulator takes to write its data for the last time, or gives itself for it. */
const LONGEST_HANDOVER_MS = 35_000;

/** The emulator of a stack before this one may still be writing what this one is to read. */
async function takeOver(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const pid = Number(await readFile(pidFileIn(folder), 'utf8').catch(() => ''));
  const end = Date.now() + LONGEST_HANDOVER_MS;
  while (pid > 0 && isRunning(pid) && Date.now() < end) await wait(BETWEEN_LOOKS_MS);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const SETTINGS = {
  AWS_ACCOUNT_ID: ACCOUNT_ID,
  AWS_REGION: REGION,
  LOG_LEVEL: 'ERROR',
  // Names of the two servers, not ports that are bound: `loopback.ts` tells them apart by these.
  KINESIS_MOCK_PLAIN_PORT: '45680',
  KINESIS_MOCK_TLS_PORT: '45670',
  CREATE_STREAM_DURATION: '50ms',
  DELETE_STREAM_DURATION: '50ms',
  // All tenants' accounts are one here.
  SHARD_LIMIT: '20000',
  ON_DEMAND_STREAM_COUNT_LIMIT: '1000',
};

function persistence(folder: string): Record<string, string> {
  return {
    SHOULD_PERSIST_DATA: 'true',
    PERSIST_PATH: folder,
    PERSIST_INTERVAL: '1s',
    OMI_PID_FILE: pidFileIn(folder),
  };
}
