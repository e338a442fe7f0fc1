/** `create-omi` and `@omi/cdk` as an operator gets them: a folder is made, the packed packages are in it, and the CDK synthesizes it. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findNode } from './support/node-versions.ts';
import { PackedProject } from './support/packed-project.ts';
import { isWellFormed } from './support/self-contained.ts';
import { longestProgramMs } from '../support/waiting.ts';

const run = promisify(execFile);

/** The oldest version that the packages accept, and that of this repository. */
const versions = new Map(
  await Promise.all([22, 24].map(async (major) => [major, await findNode(major)] as const)),
);
const oldest = versions.get(22) ?? process.execPath;
const omi = 'node_modules/@omi/cdk/bin/omi.js';
const cdk = resolve('node_modules/aws-cdk/bin/cdk');

/** Without credentials and without places where the SDK could find any. */
const nobody = (home: string, node = oldest): NodeJS.ProcessEnv => ({
  PATH: `${dirname(node)}:${process.env['PATH']}`,
  HOME: home,
  AWS_EC2_METADATA_DISABLED: 'true',
  CI: 'true',
  CDK_VALIDATION: 'false',
});

let creator: PackedProject;
let project: PackedProject;

type Failure = { code: number; stdout: string; stderr: string };
const failureOf = async (running: Promise<unknown>): Promise<Failure> =>
  await running.then(
    () => ({ code: 0, stdout: '', stderr: '' }),
    (error: unknown) => error as Failure,
  );

const create = async (...args: string[]): Promise<{ stdout: string }> =>
  await run(oldest, ['node_modules/create-omi/dist/create-omi.js', ...args], { cwd: creator.folder });

beforeAll(async () => {
  creator = await PackedProject.create('create-omi');
  await create('My Stages');
  project = await PackedProject.installLinked(join(creator.folder, 'My Stages'), '@omi/cdk');
}, longestProgramMs);
afterAll(async () => await creator.remove());

describe('create-omi', () => {
  test('makes a folder with the app, its settings, and exact versions', async () => {
    const files = readdirSync(project.folder).filter((name) => !/^node_modules$|\.tgz$/.test(name));
    expect(files.toSorted()).toEqual(
      ['.gitignore', 'README.md', 'app.js', 'cdk.json', 'omi.config.js', 'package.json'].toSorted(),
    );
    const { name, dependencies, devDependencies } = JSON.parse(await project.read('package.json')) as {
      name: string;
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(name).toBe('my-stages');
    // The versions with which this repository is tested, and the package of the same release.
    const { version } = JSON.parse(await creator.read('node_modules/create-omi/package.json')) as {
      version: string;
    };
    expect(dependencies['@omi/cdk']).toBe(version);
    for (const [packageName, wanted] of Object.entries({ ...dependencies, ...devDependencies })) {
      const { version: tested } = JSON.parse(
        readFileSync(`node_modules/${packageName}/package.json`, 'utf8'),
      ) as { version: string };
      expect([packageName, wanted]).toEqual([packageName, tested]);
    }
  });

  test('refuses a folder that has something, and changes nothing in it', async () => {
    const before = readdirSync(project.folder);
    expect(await failureOf(create('My Stages'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: My Stages is not empty: it has .*Name a new folder\.\n$/),
    });
    expect(readdirSync(project.folder)).toEqual(before);
  });

  test('takes an empty folder, also the current one', async () => {
    const here = join(creator.folder, 'here');
    await mkdir(here);
    const program = join(creator.folder, 'node_modules/create-omi/dist/create-omi.js');
    const { stdout } = await run(oldest, [program, '.'], { cwd: here });
    expect(stdout).toContain('Made .. Next:');
    expect(readdirSync(here)).toContain('omi.config.js');
  });

  test.each([
    ['no folder', []],
    ['two folders', ['one', 'two']],
    ['an unknown option', ['one', '--two']],
  ])('explains itself for %s', async (_, args) => {
    expect(await failureOf(create(...args))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage: npx create-omi <folder>'),
    });
  });

  test('--help shows the usage', async () => {
    expect((await create('--help')).stdout).toContain('Usage: npx create-omi <folder>');
  });
});

describe('the package', () => {
  isWellFormed(() => project);

  test('contains what it needs, and no sources or maps of Lambdas', () => {
    const names = project.packed.files.map(({ path }) => path);
    expect([...new Set(names.map((path) => path.replace(/\/.*/, '')))].toSorted()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'package.json'].toSorted(),
    );
    expect(names.filter((path) => /^dist\/lambdas\/.*\.map$/.test(path))).toEqual([]);
    expect(names.filter((path) => path.endsWith('.ts'))).toEqual(['dist/index.d.ts']);
    // Bytes. An operator downloads it for each upgrade.
    expect(project.packed.size).toBeLessThan(10_000_000);
  });

  test('names the packages in its bundles with their licences', async () => {
    const notice = await project.read('node_modules/@omi/cdk/dist/NOTICE');
    for (const name of ['@aws-sdk/client-dynamodb', 'valibot', 'preact', 'lean-qr', 'commander', 'jose'])
      expect(notice).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    expect(notice).toContain('Permission is hereby granted, free of charge');
  });
});

describe('the folder', () => {
  const templatesIn = (folder: string): Record<string, unknown> =>
    Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name.endsWith('.template.json'))
        .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
    );

  test(
    'makes the templates and assets that this repository makes, without a compiler or a bundler',
    async () => {
      expect(readdirSync(join(project.folder, 'node_modules')).toSorted()).toEqual(
        ['@omi', 'aws-cdk-lib', 'cdk-monitoring-constructs', 'constructs'].toSorted(),
      );
      const args = [cdk, 'synth', '--quiet', '-c', 'demo=true', '--output'];
      const ours = join(creator.folder, 'ours');
      await project.node(oldest, [...args, 'cdk.out'], nobody(project.folder));
      // Bundles are made with the repository's own version of Node.js, whose built-in modules they name.
      await run(process.execPath, [...args, ours], { env: nobody(ours, process.execPath) });
      const templates = templatesIn(join(project.folder, 'cdk.out'));
      expect(Object.keys(templates)).toContain('omi-dev-demo.template.json');
      // The paths of assets in them are hashes of what is inside.
      expect(templates).toEqual(templatesIn(ours));
    },
    longestProgramMs,
  );

  test('stops for a stage that its settings do not have, and for a misspelt setting', async () => {
    const env = { ...nobody(project.folder), CDK_OUTDIR: join(creator.folder, 'wrong') };
    const synth = async (context: object) =>
      await failureOf(
        project.node(oldest, ['app.js'], { ...env, CDK_CONTEXT_JSON: JSON.stringify(context) }),
      );
    expect((await synth({ stage: 'staging' })).stderr).toContain('omi.config.js has no stage "staging"');
    const settings = await project.read('omi.config.js');
    await project.write('omi.config.js', settings.replace('dev: {}', 'dev: { appLinks: 1 }'));
    expect((await synth({})).stderr).toMatch(/Stage dev: appLinks: unknown setting; expected one of env/);
    const told = await failureOf(project.node(oldest, [omi, 'preflight'], env));
    expect(told).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Stage dev: appLinks: unknown setting; expected one of env'),
    });
    await project.write('omi.config.js', settings);
  });
});

describe.each([...versions])('in Node.js %i', (_, node = '') => {
  const runTest = node === '' ? test.skip : test;

  runTest('`npx omi` has every command', async () => {
    expect(await project.node(node, [omi, '--version'])).toBe('0.1.0\n');
    const help = await project.node(node, [omi, '--help']);
    for (const name of ['tenant', 'client', 'target', 'replay', 'preflight', 'doctor', 'smoke', 'restore'])
      expect(help).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  });

  runTest('`npx omi` reaches for the stage in AWS', async () => {
    const told = await failureOf(project.node(node, [omi, 'doctor'], nobody(project.folder)));
    expect(told.code).toBe(1);
    expect(told.stderr).toMatch(/credentials|region/i);
  });

  runTest('a CommonJS app can require the construct', async () => {
    await project.write(
      'required.cjs',
      `const { App } = require('aws-cdk-lib');
       const { OmiStage } = require('@omi/cdk');
       const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
       const { stacks } = new OmiStage(app, 'omi-production', { config: { webApp: false } });
       console.log(stacks.map(({ stackName }) => stackName).join());`,
    );
    await expect(project.node(node, ['required.cjs'])).resolves.toBe(
      [
        ...['data', 'api', 'pages', 'devices', 'confirmations', 'export', 'signals', 'log', 'staff'],
        ...['live', 'monitoring'],
      ]
        .map((name) => `omi-production-${name}`)
        .join() + '\n',
    );
  });
});

const typed = (importing: string): string => `
${importing}
const config: StageSettings = { rollout: 'canary', logRetentionDays: 90, api: { throttle: { rate: 5, burst: 10 } } };
export const { stacks }: OmiStage = new OmiStage(new App(), 'omi-dev', { config });
export const stages: Stages = { dev: {}, production: { webApp: false, demo: 'in-production' } };
// @ts-expect-error: there is no such setting
export const misspelt: StageSettings = { appLinks: 'https://app.example.com' };
// @ts-expect-error: there is no such stage
export const unknown: Stages = { test: {} };
`;

const compilers = { 'TypeScript 6': 'typescript/bin/tsc6', 'TypeScript 7': '@typescript/native/bin/tsc' };

test.each(Object.entries(compilers))(
  'the types are valid in both kinds of modules with %s',
  async (_, compiler) => {
    const imports = (form: (name: string, from: string) => string): string =>
      [
        form('OmiStage', '@omi/cdk'),
        form('App', 'aws-cdk-lib'),
        "import type { Stages, StageSettings } from '@omi/cdk';",
      ].join('\n');
    const files = [
      await project.write('typed.mts', typed(imports((name, from) => `import { ${name} } from '${from}';`))),
      await project.write('typed.cts', typed(imports((name, from) => `import { ${name} } from '${from}';`))),
    ];
    const options = { target: 'ES2023', lib: ['ES2023'], skipLibCheck: true, types: ['node'] };
    const roots = { typeRoots: [resolve('node_modules/@types')] };
    await project.compile(compiler, { node16: { ...options, ...roots, module: 'node16' } }, files);
  },
);
