import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { behindCloudFront, contextOf, everyPlatform } from './settings.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'omi-synth-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
