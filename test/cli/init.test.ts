/** `omi init`, as a person calls it. `installed-cdk.test.ts` synthesizes what it makes. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { omi } from './omi.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'omi-init-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).toSorted();

test('makes an app of five files with the versions of this release, and says what comes next', async () => {
  const folder = join(directory, 'new', 'My Stages');
  const { code, out } = await omi(['init', folder]);
  expect({ code, files: await filesIn(folder) }).toEqual({
    code: 0,
    files: ['README.md', 'bin', 'bin/app.ts', 'cdk.json', 'package.json', 'tsconfig.json'],
  });
  expect(out).toMatch(/cd '.*My Stages'\n {2}npm install\n {2}npx omi preflight\n/);
  const { name, ...manifest } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
  } & Record<'dependencies' | 'devDependencies', Record<string, string>>;
  expect(name).toBe('my-stages');
  for (const [packageName, wanted] of Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
  })) {
    const installed = packageName === 'typescript' ? '@typescript/native' : packageName;
    const { version } = JSON.parse(await readFile(`node_modules/${installed}/package.json`, 'utf8')) as {
      version: string;
    };
    expect([packageName, wanted]).toEqual([packageName, version]);
  }
});

test('refuses a folder that has something, and changes nothing in it', async () => {
  const folder = join(directory, 'full');
  await mkdir(folder);
  await writeFile(join(folder, 'notes.txt'), 'mine');
  const { code, err } = await omi(['init', folder]);
  expect(code).toBe(1);
  expect(err).toContain('full is not empty: it has notes.txt.');
  expect(await filesIn(folder)).toEqual(['notes.txt']);
});

test.each([
  ['at which there is a file', 'file'],
  ['below a file', 'file/app'],
  ['that leads nowhere', 'nowhere'],
])('refuses a path %s, and says what to name', async (_, path) => {
  const folder = await mkdtemp(join(directory, 'paths-'));
  await writeFile(join(folder, 'file'), '');
  await symlink('/dev/null/nothing', join(folder, 'nowhere'));
  const { code, err } = await omi(['init', join(folder, path)]);
  expect(code).toBe(1);
  expect(err).toContain(`mkdir '${join(folder, path)}'`);
  expect(err).toContain('Name a new or empty folder');
});

test('says that the app is not complete if a file cannot be written', async () => {
  // The folder has a path that is just short enough, so its files have none: https://man7.org/linux/man-pages/man3/pathconf.3.html
  const longestPath = 4_095;
  const name = '/d'.repeat((longestPath - directory.length - 4) / 2);
  const { code, err } = await omi(['init', `${directory}${name}`]);
  expect(code).toBe(1);
  expect(err).toContain('ENAMETOOLONG');
  expect(err).toContain('The app is not complete. Delete what is in');
});

test('takes an empty folder', async () => {
  const folder = join(directory, 'empty');
  await mkdir(folder);
  const { code, out } = await omi(['--json', 'init', '--folder', folder]);
  expect({ code, ...(JSON.parse(out) as object) }).toEqual({
    code: 0,
    folder,
    files: ['package.json', 'cdk.json', 'tsconfig.json', 'bin/app.ts', 'README.md'],
  });
});
