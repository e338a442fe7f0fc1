import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { deliveryRoleArnOf, exporterRoleArnsOf } from '../../core/export/kinds/policies/operator-roles.ts';
import { tenantDocuments } from '../../core/export/kinds/policies/tenant-documents.ts';
import type { RoleDocuments } from '../../core/export/kinds/role/role-documents.ts';
import { contextOf } from './settings.ts';
import { deploy, keyArn, templateOf } from './tenant/deployment.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'omi-templates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const operator = { stage: 'dev', region: 'eu-central-1', account: '000000000000' };
const streamTemplate = templateOf('stream-target');
const bucketTemplate = templateOf('bucket-target');
const templates = [streamTemplate, bucketTemplate, templateOf('athena-tables')];

const agreed = {
  OperatorAccountId: operator.account,
  OperatorRoleArns: exporterRoleArnsOf(operator),
  ExternalId: 'a-random-string-of-the-tenant',
};
const DeliveryRoleArn = deliveryRoleArnOf(operator, '0197a5c3-6c1e-7bd0-9a3f-0123456789ab');

describe('the published templates', () => {
  test('follow the rules of CloudFormation and cdk-nag', async () => {
    const outdir = join(folder, 'cdk.out');
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, HOME: folder, CDK_OUTDIR: outdir };
    const CDK_CONTEXT_JSON = JSON.stringify(contextOf('dev'));
    await run(process.execPath, ['bin/tenant.ts'], { env: { ...env, CDK_CONTEXT_JSON } });
    const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as {
      pluginReports: { violations: unknown[] }[];
    };
    expect(report.pluginReports.flatMap(({ violations }) => violations)).toEqual([]);
  });

  test('need no bootstrapped account and no assets, and are for every partition', () => {
    for (const template of templates) {
      const { Parameters, ...rest } = template;
      expect(JSON.stringify(rest)).not.toMatch(/arn:aws|asset|bootstrap/i);
      expect(Object.keys(Parameters)).not.toContain('BootstrapVersion');
    }
  });

  test('retain the resources with events and their keys', () => {
    const kept = templates.flatMap(({ Resources }) =>
      Object.values(Resources)
        .filter(
          (resource) => resource.DeletionPolicy === 'Retain' && resource.UpdateReplacePolicy === 'Retain',
        )
        .map(({ Type }) => Type),
    );
    expect(kept).toEqual(['AWS::KMS::Key', 'AWS::Kinesis::Stream', 'AWS::KMS::Key', 'AWS::S3::Bucket']);
  });
});

describe('a role of the operator', () => {
  const parameters = { ...bucketTemplate.Parameters, ...streamTemplate.Parameters };
  const accepts = (name: string, value: string) =>
    new RegExp(parameters[name]?.AllowedPattern ?? '').test(value);

  test.each(['OperatorRoleArns', 'DeliveryRoleArn'])('is identified only by its ARN (%s)', (name) => {
    expect(accepts(name, DeliveryRoleArn)).toBe(true);
    for (const wrong of ['*', 'arn:aws:iam::000000000000:role/*', 'arn:aws:iam::000000000000:root', ''])
      expect(accepts(name, wrong)).toBe(false);
  });
});

describe('the stream target', () => {
  const name = 'omi-events';
  const { resources } = deploy(streamTemplate, { ...agreed, StreamName: name });
  const withKey = deploy(streamTemplate, { ...agreed, StreamName: name, Encryption: 'own-key' });
  const documents = tenantDocuments({
    kind: 'stream',
    streamArn: `arn:aws:kinesis:eu-central-1:111122223333:stream/${name}`,
    externalId: agreed.ExternalId,
    operatorRoleArns: agreed.OperatorRoleArns,
    roleName: 'made-by-the-stack',
    kmsKeyArn: keyArn,
  }) as RoleDocuments;
  const [writing, encrypting] = documents.permissionPolicy.Statement;

  test('has exactly the policies that the CLI prints', () => {
    expect(resources['Role']?.['AssumeRolePolicyDocument']).toEqual(documents.trustPolicy);
    expect(resources['WritePolicy']).toEqual({
      PolicyName: 'write-events',
      Roles: ['made-by-the-stack'],
      PolicyDocument: { Version: '2012-10-17', Statement: [writing] },
    });
    expect(Object.keys(resources).sort()).toEqual(['Role', 'Stream', 'WritePolicy']);
    expect(resources['Role']).not.toHaveProperty('Policies');
    expect(resources['Role']).not.toHaveProperty('ManagedPolicyArns');
  });

  test('has its own key if the tenant wants one, and the role may use it', () => {
    expect(withKey.resources['Stream']).toMatchObject({ StreamEncryption: { KeyId: keyArn } });
    expect(withKey.resources['Key']?.['KeyPolicy']).toEqual(documents.keyPolicy?.document);
    expect(withKey.resources['EncryptPolicy']).toEqual({
      PolicyName: 'encrypt-events',
      Roles: ['made-by-the-stack'],
      PolicyDocument: { Version: '2012-10-17', Statement: [encrypting] },
    });
  });

  test('requires a visible external id of sufficient length', () => {
    const { ExternalId } = streamTemplate.Parameters;
    expect(ExternalId).toMatchObject({ MinLength: 16, AllowedPattern: String.raw`^[\w+=,.@:/-]+$` });
    expect(ExternalId).not.toHaveProperty('Default');
    expect(ExternalId).not.toHaveProperty('NoEcho');
  });
});

describe('the bucket target', () => {
  const bucket = 'tenant-events';
  const { resources } = deploy(bucketTemplate, { DeliveryRoleArn, BucketName: bucket });
  const documents = tenantDocuments({
    kind: 'bucket',
    bucket,
    kmsKeyArn: keyArn,
    deliveryRoleArn: DeliveryRoleArn,
  });

  test('has the policy that the CLI prints: only the delivery role, only TLS', () => {
    expect(resources['BucketPolicy']).toEqual({
      Bucket: bucket,
      PolicyDocument: 'bucketPolicy' in documents && documents.bucketPolicy,
    });
  });
});

test('a stack without a name makes one, and its policies contain it', () => {
  const own = 'omi-events-111122223333-1234567890ab';
  const { resources } = deploy(bucketTemplate, { DeliveryRoleArn });
  expect(resources['Bucket']?.['BucketName']).toBe(own);
  expect(JSON.stringify(resources['Key'])).toContain(`"arn:aws:s3:::${own}"`);
  const { outputs } = deploy(streamTemplate, agreed);
  expect(outputs['StreamName']).toBe(own);
});
