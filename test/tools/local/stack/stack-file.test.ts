import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  removeStackFile,
  type StackDescription,
  stackFileIn,
  writeStackFile,
} from '../../../../tools/local/stack/stack-file.ts';

const description = { baseUrl: 'http://127.0.0.1:1', pid: 1 } as StackDescription;

let directory: string;
let file: string;
let other: string;
let umask: number;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'omi-state-'));
  file = stackFileIn(directory);
  other = join(directory, 'other');
  await writeFile(other, 'of another', { mode: 0o644 });
  umask = process.umask(0o022);
});
afterEach(async () => {
  process.umask(umask);
  await rm(directory, { recursive: true });
});

/** What may have the file's name before. */
const before: Record<string, () => Promise<unknown>> = {
  nothing: async () => await Promise.resolve(),
  'a file that everybody can read': async () => await writeFile(file, 'old', { mode: 0o666 }),
  'a file that nobody can write': async () => await writeFile(file, 'old', { mode: 0o400 }),
  'a symbolic link': async () => await symlink(other, file),
  'a symbolic link to nothing': async () => await symlink(join(directory, 'nothing'), file),
  'a hard link': async () => await link(other, file),
  'a folder': async () => await mkdir(join(file, 'inside'), { recursive: true }),
  'a leftover of an older version': async () => await symlink(other, `${file}.new`),
};

describe.each(Object.entries(before))('stack.json in place of %s', (_, make) => {
  test('is a new file that only its owner can read', async () => {
    await make();
    const inode = await stat(file).then(
      ({ ino }) => ino,
      () => undefined,
    );
    process.umask(0);
    await writeStackFile(directory, description);
    const written = await lstat(file);
    expect(written.isFile()).toBe(true);
    expect(written.mode & 0o777).toBe(0o600);
    expect(written.nlink).toBe(1);
    expect(written.ino).not.toBe(inode);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(description);
  });

  test('changes no other file and leaves no temporary file', async () => {
    await make();
    const names = (await readdir(directory)).filter((name) => name !== 'stack.json');
    await writeStackFile(directory, description);
    expect(await readFile(other, 'utf8')).toBe('of another');
    expect((await stat(other)).mode & 0o777).toBe(0o644);
    expect((await readdir(directory)).toSorted()).toEqual([...names, 'stack.json'].toSorted());
  });

  test('is removed at the end', async () => {
    await make();
    await writeStackFile(directory, description);
    removeStackFile(directory);
    expect(await readdir(directory)).not.toContain('stack.json');
    expect(await readFile(other, 'utf8')).toBe('of another');
  });
});

test('a umask without owner permissions changes nothing', async () => {
  process.umask(0o777);
  await writeStackFile(directory, description);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
