/** `@omi/cdk` as an operator gets it: it makes a folder, and the CDK synthesizes the app in there. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundledLambdas } from '../../bundling/bundle.ts';
import { eventSources, logSubscriptions, schedules } from '../../lambdas/event-sources.ts';
import { routes } from '../../lambdas/routes.ts';
import { newFolderOfRun, sharedOfRun } from '../support/run-services.ts';
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
const omi = '../node_modules/@omi/cdk/bin/omi.js';
const cdk = resolve('node_modules/aws-cdk/bin/cdk');
const synth = [cdk, 'synth', '--quiet', '-c', 'demo=true', '--output'];

/** Without credentials and without places where the SDK could find any. */
const nobody = (home: string, node = oldest): NodeJS.ProcessEnv => ({
  PATH: `${dirname(node)}:${process.env['PATH']}`,
  HOME: home,
  AWS_EC2_METADATA_DISABLED: 'true',
  CI: 'true',
  CDK_VALIDATION: 'false',
});

let project: PackedProject;
/** What this repository makes of its own app. */
let ours: string;
/** The operator's folder, where Node.js finds the package of the project around it. */
let folder: string;

type Failure = { code: number; stdout: string; stderr: string };
const failureOf = async (running: Promise<unknown>): Promise<Failure> =>
  await running.then(
    () => ({ code: 0, stdout: '', stderr: '' }),
    (error: unknown) => error as Failure,
  );

/** Runs a program in the operator's folder. @returns what it prints */
async function inFolder(node: string, args: string[], env = nobody(folder, node)): Promise<string> {
  const { stdout } = await run(node, args, { cwd: folder, env });
  return stdout;
}

beforeAll(async () => {
  ours = newFolderOfRun('ours-');
  // Bundles are made with the repository's own version of Node.js, whose built-in modules they name.
  const made = run(process.execPath, [...synth, ours], { env: nobody(ours, process.execPath) });
  project = await PackedProject.createLinked('@omi/cdk');
  await project.node(oldest, ['node_modules/@omi/cdk/bin/omi.js', 'init', 'stages']);
  folder = join(project.folder, 'stages');
  await made;
}, longestProgramMs);
afterAll(async () => await project.remove());

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
  const settingsOf = async (): Promise<string> => await readFile(join(folder, 'cdk.json'), 'utf8');

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
      await inFolder(oldest, [...synth, 'cdk.out']);
      const templates = templatesIn(join(folder, 'cdk.out'));
      expect(Object.keys(templates)).toContain('omi-dev-demo.template.json');
      // The paths of assets in them are hashes of what is inside.
      expect(templates).toEqual(templatesIn(ours));
    },
    longestProgramMs,
  );

  test('stops for a stage that its settings do not have, and for a misspelt setting', async () => {
    const env = { ...nobody(folder), CDK_OUTDIR: join(project.folder, 'wrong') };
    const settings = await settingsOf();
    const synthOf = async (stage: string): Promise<Failure> => {
      const { context } = JSON.parse(await settingsOf()) as { context: object };
      const given = { ...env, CDK_CONTEXT_JSON: JSON.stringify({ ...context, stage }) };
      return await failureOf(inFolder(oldest, ['bin/app.ts'], given));
    };
    expect((await synthOf('staging')).stderr).toContain(
      'Stage staging: there are no settings in cdk.json, under context.stages.',
    );
    await writeFile(join(folder, 'cdk.json'), settings.replace('"dev": {}', '"dev": { "appLinks": 1 }'));
    const wrong = expect.stringContaining('Stage dev: appLinks: unknown setting; expected one of env');
    expect(await synthOf('dev')).toMatchObject({ code: 1, stderr: wrong });
    expect(await failureOf(inFolder(oldest, [omi, 'preflight'], env))).toMatchObject({
      code: 1,
      stderr: wrong,
    });
    await writeFile(join(folder, 'cdk.json'), settings);
  });
});

test("`cdk synth` works without credentials and network, and packs every Lambda's code reproducibly, without source maps", async () => {
  const assetsIn = (file: string): string[] => {
    const template = JSON.parse(readFileSync(join(ours, file), 'utf8')) as {
      Resources: Record<string, { Type: string; Metadata?: { 'aws:asset:path'?: string } }>;
    };
    const resources = Object.values(template.Resources);
    const pathOf = ({ Metadata }: (typeof resources)[number]) => Metadata?.['aws:asset:path'] ?? 'none';
    const nested = resources.filter(({ Type }) => Type === 'AWS::CloudFormation::Stack').map(pathOf);
    const own = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function').map(pathOf);
    return [...own.map((path) => join(ours, path)), ...nested.flatMap(assetsIn)];
  };
  const assetsOf = (stack: string) => assetsIn(`${stack}.template.json`);
  const assets = readdirSync(ours)
    .map((file) => /^(omi-dev-(?!demo\b)\w+)\.template\.json$/.exec(file)?.[1] ?? [])
    .flat()
    .flatMap(assetsOf);
  const called = new Set(
    [...routes, ...eventSources, ...schedules, ...logSubscriptions].map(({ lambda }) => lambda),
  );
  // The three authorizers, the makers of the VAPID key and of the record of keys, and the Lambdas that deploy pages are called otherwise.
  expect(new Set(assets).size).toBe(called.size + 8);
  for (const asset of assets) {
    expect(existsSync(join(asset, 'index.mjs'))).toBe(true);
    expect(existsSync(join(asset, 'index.mjs.map'))).toBe(false);
  }
  const pages = assets.map((asset) => join(asset, 'app')).filter((path) => existsSync(path));
  expect(pages).toHaveLength(3);
  for (const folderOfPages of pages) {
    const files = JSON.parse(readFileSync(join(folderOfPages, 'files.json'), 'utf8')) as { file: string }[];
    for (const { file } of files) expect(existsSync(join(folderOfPages, file))).toBe(true);
    expect(files.map(({ file }) => file)).toContain('index.html');
  }
  const [demo = ''] = assetsOf('omi-dev-demo');
  for (const file of ['index.mjs', 'page/index.html', 'page/assets/page.js'])
    expect(existsSync(join(demo, file))).toBe(true);
  expect(existsSync(join(demo, 'index.mjs.map'))).toBe(false);

  // The same source gives the same bundle in every folder and process, so all stages deploy the same asset.
  const shared = await sharedOfRun('bundles');
  const codeIn = (place: string, name: string) => readFileSync(join(place, name, 'index.mjs'), 'utf8');
  const differs = (name: string) => codeIn('dist/lambdas', name) !== codeIn(shared, name);
  expect(bundledLambdas().filter(differs)).toEqual([]);
});

describe.each([...versions])('in Node.js %i', (_, node = '') => {
  const runTest = node === '' ? test.skip : test;

  runTest('`npx omi` has every command', async () => {
    expect(await inFolder(node, [omi, '--version'])).toBe('0.1.0\n');
    const help = await inFolder(node, [omi, '--help']);
    for (const name of ['init', 'tenant', 'target', 'replay', 'preflight', 'doctor', 'smoke', 'restore'])
      expect(help).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  });

  runTest('`npx omi` reaches for the stage in AWS', async () => {
    const told = await failureOf(inFolder(node, [omi, 'doctor']));
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
export const production: StageSettings = { webApp: false, demo: 'in-production' };
export const { stage, settings } = givenStage(new App());
// @ts-expect-error: there is no such setting
export const misspelt: StageSettings = { appLinks: 'https://app.example.com' };
// @ts-expect-error: there is no such stage
export const isTest = stage === 'test';
`;

const compilers = { 'TypeScript 6': 'typescript/bin/tsc6', 'TypeScript 7': '@typescript/native/bin/tsc' };

test.each(Object.entries(compilers))(
  'the types are valid in both kinds of modules with %s',
  async (_, compiler) => {
    const imports = (form: (name: string, from: string) => string): string =>
      [
        form('givenStage, OmiStage', '@omi/cdk'),
        form('App', 'aws-cdk-lib'),
        "import type { StageSettings } from '@omi/cdk';",
      ].join('\n');
    const files = [
      await project.write('typed.mts', typed(imports((name, from) => `import { ${name} } from '${from}';`))),
      await project.write('typed.cts', typed(imports((name, from) => `import { ${name} } from '${from}';`))),
    ];
    const options = { target: 'ES2023', lib: ['ES2023'], skipLibCheck: true, types: ['node'] };
    const roots = { typeRoots: [resolve('node_modules/@types')] };
    await project.compile(compiler, { node16: { ...options, ...roots, module: 'node16' } }, [
      ...files,
      join(folder, 'bin/app.ts'),
    ]);
  },
);
