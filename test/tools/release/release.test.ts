/** What a release ships. Its tarballs are made twice: in other folders, from files of other times, at other times. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Bom, Component } from '../../../tools/release/bom.ts';
import { fileNameOf, publishedPackages } from '../../../tools/release/published.ts';
import { longestProgramMs } from '../../support/waiting.ts';

const run = promisify(execFile);
/** The repository's files in another folder, changed at that time, with the same packages of others. */
async function copyTo(folder: string, changedAt: Date): Promise<void> {
  await mkdir(folder);
  const files = 'git ls-files -z --cached --others --exclude-standard';
  const copied = `${files} | tar -c --null -T - --mtime "$1" | tar -x -C "$2"`;
  await run('bash', ['-c', copied, 'copy', changedAt.toISOString(), folder]);
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

const node = async (cwd: string, ...args: string[]): Promise<string> =>
  (await run(process.execPath, args, { cwd, maxBuffer: 2 ** 26 })).stdout;

let root = '';
let folders: string[] = [];
/** The sums of all files of the release. */
let sums = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'omi-release-'));
  // Side by side: esbuild's names hash the paths of modules, and those of others are links to this repository's.
  folders = [join(root, 'one'), join(root, 'another, with a longer name')];
  const [one = '', another = ''] = folders;
  const release = async (): Promise<void> => {
    await copyTo(one, new Date(Date.UTC(2001, 0, 1)));
    await node(one, 'tools/release/prepare.ts', 'release');
    sums = await readFile(join(one, 'release/SHA256SUMS'), 'utf8');
  };
  const repetition = async (): Promise<void> => {
    await copyTo(another, new Date(Date.UTC(2002, 6, 1)));
    await mkdir(join(another, 'release'));
    const workspaces = publishedPackages(another).map(({ name }) => `--workspace=${name}`);
    await run('npm', ['pack', ...workspaces, '--pack-destination', 'release', '--loglevel=error'], {
      cwd: another,
    });
  };
  await Promise.all([release(), repetition()]);
}, longestProgramMs);
afterAll(async () => await rm(root, { recursive: true, force: true }));

const readBom = async (name: string): Promise<Bom> =>
  JSON.parse(await readFile(join(folders[0] ?? '', 'release', `${name}.cdx.json`), 'utf8')) as Bom;
const namesIn = ({ components = [] }: Bom): string[] =>
  components.map(({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`));

// That of `@omi/cdk` contains the bundles of all Lambdas and pages.
test('tarballs have the same bytes wherever and whenever they are made', async () => {
  const [, another = ''] = folders;
  const tarballs = sums.split('\n').filter((line) => line.endsWith('.tgz'));
  expect(tarballs).toHaveLength(publishedPackages('.').length);
  await writeFile(join(another, 'release/sums'), `${tarballs.join('\n')}\n`);
  await run('sha256sum', ['--check', '--strict', 'sums'], { cwd: join(another, 'release') });
});

describe('a bill of materials', () => {
  test.each(publishedPackages('.').map(({ name, version }) => [name, version]))(
    'is there for %s',
    async (name, version) => {
      const { specVersion, metadata } = await readBom(fileNameOf(name));
      const [short = '', group] = name.split('/').toReversed();
      expect(specVersion).toBe('1.6');
      expect(metadata.component).toMatchObject({ ...(group && { group }), name: short, version });
      expect(sums).toContain(`  ${fileNameOf(name)}-${version}.tgz\n`);
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
    const notice = await readFile(join(folders[0] ?? '', 'packages/cdk/dist/NOTICE'), 'utf8');
    const inside = Array.from(notice.matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm), ([, name]) => name);
    expect(inside).toEqual(expect.arrayContaining(['@aws-sdk/client-dynamodb', 'preact', 'qr', 'lean-qr']));
    expect(names).toEqual(expect.arrayContaining(inside));
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
    const [, folder = ''] = folders;
    const lock = join(folder, 'package-lock.json');
    // The service's own bill is enough for it.
    for (const { folder: its } of publishedPackages(folder)) await rm(join(folder, its, 'package.json'));
    type Lock = { packages: Record<string, { license: string }> };
    const changed = JSON.parse(await readFile(lock, 'utf8')) as Lock;
    const preact = changed.packages['node_modules/preact'];
    if (!preact) throw new Error('preact is not locked');
    preact.license = 'AGPL-3.0-only';
    await writeFile(lock, JSON.stringify(changed));
    const failure = await node(folder, 'tools/release/prepare.ts', 'refused').catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure).toHaveProperty(
      'stderr',
      expect.stringMatching(/^preact@\S+ has the licence "AGPL-3\.0-only", which/),
    );
    expect((await readdir(join(folder, 'refused'))).filter((name) => name.endsWith('.tgz'))).toEqual([]);
  },
  longestProgramMs,
);

type Packument = { name: string; versions: Record<string, unknown> };

/** A registry that has what `published` has, takes no version twice, and fails the upload with this number. */
async function startRegistry(published: Map<string, Packument>, failing: number): Promise<Server> {
  let uploads = 0;
  const publish = (name: string, body: Packument): [status: number, answer: object] => {
    uploads += 1;
    if (uploads === failing) return [400, { error: 'not today' }];
    if (published.has(name))
      return [403, { error: 'You cannot publish over the previously published versions' }];
    published.set(name, body);
    return [201, {}];
  };
  const read = (name: string): [status: number, answer: object] => {
    const known = published.get(name);
    return known ? [200, known] : [404, {}];
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = decodeURIComponent(request.url?.slice(1).replace(/\?.*/, '') ?? '');
    const [status, body] =
      request.method === 'GET' ? read(name) : publish(name, (await json(request)) as Packument);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const registry = createServer((request, response) => void answer(request, response));
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  return registry;
}

describe('the workflow', () => {
  type Step = { name?: string; run?: string; uses?: string };
  type Workflow = { permissions: object; jobs: Record<string, { permissions: object; steps: Step[] }> };
  const read = async (): Promise<Workflow> =>
    parse(await readFile('.github/workflows/release.yml', 'utf8')) as Workflow;
  const publishing = async (): Promise<string> =>
    (await read()).jobs['publish']?.steps.find(({ name }) => name === 'Publish on npm')?.run ?? '';

  test('makes the release by the script that this test runs, and publishes exactly those files, with provenance', async () => {
    const { permissions, jobs } = await read();
    expect(permissions).toEqual({ contents: 'read' });
    const steps = jobs['publish']?.steps ?? [];
    expect(steps.map(({ run: command }) => command)).toContain('npm run release:prepare -- release');
    expect(await publishing()).toContain('npm publish "./$tarball" --provenance --access public');
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

  test(
    'publishes the rest when it is run again after a failure, and nothing when it is done',
    async () => {
      const folder = join(folders[0] ?? '', 'release');
      // The script is the same for each.
      const some = join(root, 'some');
      await mkdir(some);
      const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).slice(0, 3);
      for (const name of tarballs) await copyFile(join(folder, name), join(some, name));
      // npm makes provenance only where a workflow runs.
      const script = (await publishing()).replace(' --provenance', '');
      const published = new Map<string, Packument>();
      const publish = async (failing: number): Promise<string> => {
        const registry = await startRegistry(published, failing);
        const host = `//127.0.0.1:${(registry.address() as AddressInfo).port}/`;
        const settings = join(root, 'npmrc');
        await writeFile(settings, `${host}:_authToken=token\nfetch-retries=0\n`);
        // By the names that npm itself sets for a program that it runs, such as this test.
        const env = {
          ...process.env,
          npm_config_registry: `http:${host}`,
          npm_config_userconfig: settings,
          npm_config_cache: join(root, 'cache'),
          npm_config_loglevel: 'error',
        };
        try {
          return (await run('bash', ['-e', '-c', script], { cwd: some, env })).stdout;
        } finally {
          registry.close();
        }
      };
      await expect(publish(2)).rejects.toThrow('not today');
      expect(published.size).toBe(1);
      const rest = await publish(0);
      expect(rest.match(/^npm has \S+ already$/gm)).toHaveLength(1);
      expect([...published.keys()].map(fileNameOf)).toEqual(
        tarballs.map((name) => name.replace(/-[\d.]+\.tgz$/, '')),
      );
      expect((await publish(0)).match(/^npm has \S+ already$/gm)).toHaveLength(tarballs.length);
    },
    longestProgramMs,
  );
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
