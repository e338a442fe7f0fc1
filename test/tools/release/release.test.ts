/** What a release ships, made twice: in other folders, from files of other times, at other times. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Bom, Component } from '../../../tools/release/bom.ts';
import { fileNameOf, publishedPackages } from '../../../tools/release/published.ts';
import { longestProgramMs } from '../../support/waiting.ts';

const run = promisify(execFile);
/** The repository's files in another folder, changed at that time, with the same packages of others. */
async function copyTo(folder: string, changedAt: Date): Promise<void> {
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    maxBuffer: 2 ** 26,
  });
  for (const path of listed.stdout.split('\0').filter((name) => name !== '')) {
    const copy = join(folder, path);
    await mkdir(dirname(copy), { recursive: true });
    await cp(path, copy);
    await utimes(copy, changedAt, changedAt);
  }
  await linkInto(join(folder, 'node_modules'), 'node_modules');
  await linkInto(join(folder, 'node_modules/@omi'), 'node_modules/@omi');
}

/** A workspace's link is relative: copied as it is, it leads to the package in the copy. */
async function linkInto(folder: string, from: string): Promise<void> {
  await mkdir(folder);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = join(from, entry.name);
    if (path === 'node_modules/@omi') continue;
    const target = entry.isSymbolicLink() ? await readlink(path) : resolve(path);
    await symlink(target, join(folder, entry.name));
  }
}

type Made = { sums: string; bundled: Record<string, string>; inside: string[] };

const node = async (cwd: string, ...args: string[]): Promise<string> =>
  (await run(process.execPath, args, { cwd, maxBuffer: 2 ** 26 })).stdout;

async function make(folder: string): Promise<Made> {
  const bundles = join(folder, 'bundles');
  const inside = JSON.parse(await node(folder, 'test/tools/release/build-all.ts', bundles)) as string[];
  await node(folder, 'tools/release/prepare.ts', 'release');
  const sums = await readFile(join(folder, 'release/SHA256SUMS'), 'utf8');
  return { sums, bundled: await sumsIn(bundles), inside };
}

async function sumsIn(folder: string): Promise<Record<string, string>> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sums = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const sum = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      return [path.slice(folder.length), sum] as const;
    });
  return Object.fromEntries((await Promise.all(sums)).toSorted(([one], [other]) => one.localeCompare(other)));
}

let root = '';
let folders: string[] = [];
const made: Made[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'omi-release-'));
  // Side by side: esbuild's names hash the paths of modules, and those of others are links to this repository's.
  folders = [join(root, 'one'), join(root, 'another, with a longer name')];
  for (const [index, folder] of folders.entries()) {
    await copyTo(folder, new Date(Date.UTC(2001 + index, index * 6, 1)));
    made.push(await make(folder));
  }
}, longestProgramMs);
afterAll(async () => await rm(root, { recursive: true, force: true }));

const readBom = async (name: string): Promise<Bom> =>
  JSON.parse(await readFile(join(folders[0] ?? '', 'release', `${name}.cdx.json`), 'utf8')) as Bom;
const namesIn = ({ components = [] }: Bom): string[] =>
  components.map(({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`));

test('tarballs and bills of materials have the same bytes', () => {
  const [first, second] = made;
  expect(first?.sums.split('\n').length).toBeGreaterThan(12);
  expect(second?.sums).toBe(first?.sums);
});

test('the bundles of Lambdas and pages have the same bytes', () => {
  const [first, second] = made;
  expect(Object.keys(first?.bundled ?? {}).length).toBeGreaterThan(100);
  expect(second?.bundled).toEqual(first?.bundled);
});

describe('a bill of materials', () => {
  test.each(publishedPackages('.').map(({ name, version }) => [name, version]))(
    'is there for %s',
    async (name, version) => {
      const { specVersion, metadata } = await readBom(fileNameOf(name));
      const [short = '', group] = name.split('/').toReversed();
      expect(specVersion).toBe('1.6');
      expect(metadata.component).toMatchObject({ ...(group && { group }), name: short, version });
      expect(made[0]?.sums).toContain(`  ${fileNameOf(name)}-${version}.tgz\n`);
    },
  );

  test('is there for each folder of packages/ that has a licence, so is taken by others', async () => {
    const taken = (await readdir('packages')).filter((name) => existsSync(`packages/${name}/LICENSE`));
    const published = new Map(publishedPackages('.').map(({ name, folder }) => [folder, fileNameOf(name)]));
    for (const name of taken) {
      const bom = await readBom(published.get(`packages/${name}`) ?? `omi-${name}`);
      expect(bom.specVersion).toBe('1.6');
    }
    expect(namesIn(await readBom('omi-device-kotlin'))).toEqual(['kotlin-stdlib']);
    expect(namesIn(await readBom('omi-device-swift'))).toEqual([]);
    expect(namesIn(await readBom('omi-python'))).toEqual(['requests', 'cryptography']);
  });

  test('of the service has every package that a Lambda contains, and those of the pages', async () => {
    const names = namesIn(await readBom('omi-service'));
    expect(names).toEqual(
      expect.arrayContaining([...(made[0]?.inside ?? ['nothing']), 'preact', 'qr', 'lean-qr']),
    );
    expect(names).not.toContain('jest');
  });

  test('of a package has what it contains or installs', async () => {
    expect(namesIn(await readBom('omi-elements'))).toEqual(['lean-qr']);
    expect(namesIn(await readBom('omi-device'))).toEqual([]);
    expect(namesIn(await readBom('omi-mcp'))).toContain('openid-client');
  });
});

test(
  'a release with a licence that is not in the list is not made',
  async () => {
    const [folder = ''] = folders;
    const lock = join(folder, 'package-lock.json');
    const text = await readFile(lock, 'utf8');
    type Lock = { packages: Record<string, { license: string }> };
    const changed = JSON.parse(text) as Lock;
    const preact = changed.packages['node_modules/preact'];
    if (!preact) throw new Error('preact is not locked');
    preact.license = 'AGPL-3.0-only';
    await writeFile(lock, JSON.stringify(changed));
    const failure = await node(folder, 'tools/release/prepare.ts', 'refused').catch(
      (error: unknown) => error,
    );
    await writeFile(lock, text);
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure).toHaveProperty(
      'stderr',
      expect.stringMatching(/^preact@\S+ has the licence "AGPL-3\.0-only", which/),
    );
    expect((await readdir(join(folder, 'refused'))).filter((name) => name.endsWith('.tgz'))).toEqual([]);
  },
  longestProgramMs,
);

describe('the workflow', () => {
  type Step = { name?: string; run?: string; uses?: string };
  type Workflow = { permissions: object; jobs: Record<string, { permissions: object; steps: Step[] }> };
  const read = async (): Promise<Workflow> =>
    parse(await readFile('.github/workflows/release.yml', 'utf8')) as Workflow;

  test('makes the release by the script that this test runs, and publishes exactly those files, with provenance', async () => {
    const { permissions, jobs } = await read();
    expect(permissions).toEqual({ contents: 'read' });
    const steps = jobs['publish']?.steps ?? [];
    const commands = steps.flatMap(({ run: command }) => command ?? []).join('\n');
    expect(commands).toContain('npm run release:prepare -- release');
    expect(commands).toContain('npm publish "./$tarball" --provenance --access public');
    expect(jobs['publish']?.permissions).toMatchObject({ 'id-token': 'write' });
  });

  test('pins the actions that it uses, as all workflows do', async () => {
    const folder = '.github/workflows';
    const used: string[] = [];
    for (const name of await readdir(folder)) {
      const { jobs } = parse(await readFile(join(folder, name), 'utf8')) as Workflow;
      for (const { steps } of Object.values(jobs)) used.push(...steps.flatMap(({ uses = [] }) => uses));
    }
    expect(used.length).toBeGreaterThan(10);
    for (const action of used) expect(action).toMatch(/@[0-9a-f]{40}$/);
  });

  test('gets tarballs that npm would publish', async () => {
    const [folder = ''] = folders;
    const { name, version } = publishedPackages('.')[0] ?? { name: '', version: '' };
    const tarball = `./release/${fileNameOf(name)}-${version}.tgz`;
    const options = ['--dry-run', '--access', 'public', '--json', '--offline'];
    const { stdout } = await run('npm', ['publish', tarball, ...options], { cwd: folder });
    // By the packages' names, or not, depending on npm's version.
    const shown = JSON.parse(stdout) as Record<string, unknown>;
    expect(shown[name] ?? shown).toMatchObject({ name, version });
  });
});

test(
  'a note of a change gives all packages the next version, and a line in their changelogs',
  async () => {
    const [folder = ''] = folders;
    await writeFile(
      join(folder, '.changeset/note.md'),
      '---\n"@omi/device": minor\n---\n\nDevices can whistle.\n',
    );
    await run('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: folder });
    await node(folder, 'node_modules/@changesets/cli/bin.js', 'version');
    const versions = publishedPackages(folder).map(({ version }) => version);
    expect(new Set(versions)).toEqual(new Set(['0.2.0']));
    expect(await readFile(join(folder, 'packages/device/CHANGELOG.md'), 'utf8')).toContain(
      'Devices can whistle.',
    );
  },
  longestProgramMs,
);
