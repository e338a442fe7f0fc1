import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FolderInUseError, lockFolder } from '../../../../tools/local/command/folder-lock.ts';

let parent: string;
let folder: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'omi-lock-'));
  folder = join(parent, 'state');
});

afterEach(async () => {
  await rm(parent, { recursive: true });
});

const leaveLock = async (text: string) => {
  const lock = await lockFolder(folder);
  lock.release();
  await writeFile(join(folder, 'lock.json'), text);
};

test('a lock creates the folder, only for its owner', async () => {
  const lock = await lockFolder(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  lock.release();
});

test('a lock rejects other processes and names the holder', async () => {
  const lock = await lockFolder(folder);
  const other = lockFolder(folder);
  await expect(other).rejects.toThrow(FolderInUseError);
  await expect(other).rejects.toMatchObject({ folder, pid: process.pid });
  lock.release();
});

test('a released lock leaves nothing behind and allows the next lock', async () => {
  (await lockFolder(folder)).release();
  expect(await readdir(folder)).toEqual([]);
  (await lockFolder(folder)).release();
});

test.each(['', '{}', 'no JSON'])('an invalid lock is ignored: %j', async (text) => {
  await leaveLock(text);
  (await lockFolder(folder)).release();
});

test('the lock of an ended process is ignored even if another process has its id', async () => {
  await leaveLock(JSON.stringify({ pid: process.pid, port: 1 }));
  (await lockFolder(folder)).release();
});

test.each(['nothing', 'what another program says'])(
  'a lock is ignored if its port answers %s',
  async (answer) => {
    const stranger = createServer((socket) => (answer === 'nothing' ? socket.resume() : socket.end(answer)));
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    await leaveLock(JSON.stringify({ pid: process.pid, port: (stranger.address() as AddressInfo).port }));
    (await lockFolder(folder)).release();
    stranger.close();
  },
);
