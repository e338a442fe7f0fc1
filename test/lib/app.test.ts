import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { bundledLambdas } from '../../bundling/bundle.ts';
import { eventSources, logSubscriptions, schedules } from '../../lambdas/event-sources.ts';
import { routes } from '../../lambdas/routes.ts';
import { sharedOfRun } from '../support/run-services.ts';
import { behindCloudFront, contextOf, everyPlatform } from './settings.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'omi-synth-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Milliseconds. A synthesis takes ten seconds on an idle machine. */

/** Without credentials and without places where the SDK could find any. */
const nobody = {
  PATH: process.env['PATH'],
  HOME: folder,
  AWS_EC2_METADATA_DISABLED: 'true',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

const everything = {
  ...everyPlatform,
  webApp: {
    domain: {
      name: 'confirm.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/app',
    },
    apple: { appIds: ['DEF1234567.com.example.app'] },
  },
  env: { region: 'eu-central-1' },
  data: { customerManagedKey: true, copies: { region: 'eu-west-1' } },
  api: {
    corsOrigins: ['https://www.example.com'],
    ...behindCloudFront.api,
  },
  demo: 'in-production',
};

test('a stage with every part follows the rules of CloudFormation and cdk-nag', async () => {
  const context = { ...contextOf('production', everything), 'aws:cdk:bundling-stacks': [] };
  const outdir = join(folder, 'production');
  // CloudFormation's rules are WebAssembly, which threads of V8 would compile once more for a few calls.
  await run(process.execPath, ['--single-threaded', 'bin/app.ts'], {
    env: { ...nobody, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });
  const report = readFileSync(join(outdir, 'validation-report.json'), 'utf8');
  const { pluginReports } = JSON.parse(report) as {
    pluginReports: { violations: { severity: string }[] }[];
  };
  const violations = pluginReports.flatMap((plugin) => plugin.violations);
  expect(violations.filter(({ severity }) => severity !== 'warning')).toEqual([]);
  for (const file of readdirSync(outdir).filter((name) => name.endsWith('.template.json'))) {
    const { Resources, Outputs = {} } = JSON.parse(readFileSync(join(outdir, file), 'utf8')) as {
      Resources: object;
      Outputs?: object;
    };
    // CloudFormation accepts 500 resources in a stack, and 200 outputs. So there is room for years.
    expect([file, Object.keys(Resources).length <= 300]).toEqual([file, true]);
    expect([file, Object.keys(Outputs).length <= 150]).toEqual([file, true]);
  }
});

test("`cdk synth` works without credentials and network, and packs every Lambda's code reproducibly, without source maps", async () => {
  const outdir = join(folder, 'cdk.out');
  await run('node_modules/.bin/cdk', ['synth', '--quiet', '-c', 'demo=true', '--output', outdir], {
    env: { ...nobody, CI: 'true' },
  });
  const assetsIn = (file: string): string[] => {
    const template = JSON.parse(readFileSync(join(outdir, file), 'utf8')) as {
      Resources: Record<string, { Type: string; Metadata?: { 'aws:asset:path'?: string } }>;
    };
    const resources = Object.values(template.Resources);
    const pathOf = ({ Metadata }: (typeof resources)[number]) => Metadata?.['aws:asset:path'] ?? 'none';
    const nested = resources.filter(({ Type }) => Type === 'AWS::CloudFormation::Stack').map(pathOf);
    const own = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function').map(pathOf);
    return [...own.map((path) => join(outdir, path)), ...nested.flatMap(assetsIn)];
  };
  const assetsOf = (stack: string) => assetsIn(`${stack}.template.json`);
  const assets = readdirSync(outdir)
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
