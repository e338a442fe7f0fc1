import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, type Emulator, startChildProcess } from '../child-process.ts';
import { accountId, region } from '../../identity.ts';

const packageFolder = join(import.meta.dirname, '../../../../../node_modules/kinesis-local');

/** kinesis-local in its own process. It listens at a socket in a folder that only the user can read. */
export async function startKinesis(dataDirectory?: string): Promise<Emulator> {
  const folder = await mkdtemp(join(tmpdir(), 'omi-kinesis-'));
  const socketPath = join(folder, 'socket');
  const args = ['--import', join(import.meta.dirname, 'preload.ts'), join(packageFolder, 'main.js')];
  const child = startChildProcess(process.execPath, args, {
    cwd: packageFolder,
    ...(dataDirectory !== undefined && { longestShutdownMs }),
    env: {
      ...process.env,
      ...settings,
      OMI_KINESIS_SOCKET: socketPath,
      ...(dataDirectory === undefined ? {} : persistence(dataDirectory)),
    },
  });
  // The process removes the folder itself, unless it is killed.
  void child.exited.then(async () => await rm(folder, { recursive: true, force: true }));
  await child.firstLine(/^listening$/m);
  return { ...atSocket(socketPath), exited: child.exited, close: () => child.close() };
}

export const atSocket = (socketPath: string): Required<Address> => ({
  endpoint: 'http://127.0.0.1',
  socketPath,
});

/** An account without streams. The emulator takes an access key id of twelve digits for its caller's account. */
export const freshAccount = (): string => String(randomInt(1e11, 1e12));

/** The last write of large data takes long. */
const longestShutdownMs = 35_000;

const settings = {
  AWS_ACCOUNT_ID: accountId,
  AWS_REGION: region,
  LOG_LEVEL: 'ERROR',
  // No ports are bound: `unix-socket.ts` distinguishes the two servers by these numbers.
  KINESIS_MOCK_PLAIN_PORT: '45680',
  KINESIS_MOCK_TLS_PORT: '45670',
  CREATE_STREAM_DURATION: '50ms',
  DELETE_STREAM_DURATION: '50ms',
  // All accounts share one here.
  SHARD_LIMIT: '20000',
  ON_DEMAND_STREAM_COUNT_LIMIT: '1000',
};

function persistence(folder: string): Record<string, string> {
  return { SHOULD_PERSIST_DATA: 'true', PERSIST_PATH: folder, PERSIST_INTERVAL: '1s' };
}
