import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hclValue } from '../../cli/targets/policies/terraform.ts';
import { policyFormats, renderPolicies, type PolicyFormat } from '../../cli/targets/policies/command.ts';
import { deliveryRoleArnOf, exporterRoleArnsOf } from '../../core/export/kinds/policies/operator-roles.ts';
import { tenantDocuments, type TenantTarget } from '../../core/export/kinds/policies/tenant-documents.ts';
import type { BucketDocuments } from '../../core/export/kinds/bucket/bucket-documents.ts';
import type { RoleDocuments } from '../../core/export/kinds/role/role-documents.ts';

const operator = { stage: 'dev', region: 'eu-central-1', account: '000000000000' };
const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

const streamWithoutKey = {
  kind: 'stream' as const,
  streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/omi-events',
  externalId: 'a-random-string-of-the-tenant',
  operatorRoleArns: exporterRoleArnsOf(operator),
};
const streamTarget = { ...streamWithoutKey, kmsKeyArn };
const bucketWithoutKey = {
  kind: 'bucket' as const,
  bucket: 'tenant-events',
  deliveryRoleArn: deliveryRoleArnOf(operator, '0197a5c3-6c1e-7bd0-9a3f-0123456789ab'),
};
const bucketTarget = { ...bucketWithoutKey, kmsKeyArn };

const busTarget = {
  kind: 'bus' as const,
  busArn: 'arn:aws:events:eu-central-1:111122223333:event-bus/omi-events',
  externalId: streamTarget.externalId,
  operatorRoleArns: streamTarget.operatorRoleArns,
};

const streamWithNewKey = { ...streamWithoutKey, newKey: true as const };
const bucketWithNewKey = {
  ...bucketWithoutKey,
  newKey: { account: '111122223333', region: 'eu-central-1' },
};

const stream = tenantDocuments(streamTarget) as RoleDocuments;
const bucket = tenantDocuments(bucketTarget) as BucketDocuments;
const bus = tenantDocuments(busTarget) as RoleDocuments;

const parsed = (target: TenantTarget, format: PolicyFormat): unknown =>
  JSON.parse(renderPolicies(target, format));

/** The documents inside of a Terraform file, by the name of the argument that they are given to. */
function jsonencoded(hcl: string): [argument: string, document: unknown][] {
  return [...hcl.matchAll(/^ {2}(\w+) = jsonencode\((.*?)\)$/gms)].map(([, argument = '', document = '']) => [
    argument,
    JSON.parse(document),
  ]);
}

describe('policies as JSON', () => {
  test('have each document under the name of its place', () => {
    const { trustPolicy, permissionPolicy } = stream;
    expect(parsed(streamTarget, 'json')).toEqual({
      trustPolicy,
      permissionPolicy,
      keyPolicy: stream.keyPolicy?.document,
    });
    expect(parsed(bucketTarget, 'json')).toEqual({
      bucketPolicy: bucket.bucketPolicy,
      keyPolicy: bucket.keyPolicy.document,
    });
    expect(parsed(streamWithoutKey, 'json')).not.toHaveProperty('keyPolicy');
    expect(parsed(busTarget, 'json')).toEqual({
      trustPolicy: bus.trustPolicy,
      permissionPolicy: bus.permissionPolicy,
    });
  });
});

describe('policies as a CloudFormation template', () => {
  test.each([
    ['stream', streamTarget, stream],
    ['bus', busTarget, bus],
  ])('create a role with the same documents and output its ARN (%s)', (_kind, target, of) => {
    expect(parsed(target, 'cloudformation')).toMatchObject({
      AWSTemplateFormatVersion: '2010-09-09',
      Resources: {
        ExportRole: {
          Type: 'AWS::IAM::Role',
          Properties: {
            RoleName: 'omi-event-export',
            AssumeRolePolicyDocument: of.trustPolicy,
            Policies: [{ PolicyDocument: of.permissionPolicy }],
          },
        },
      },
      Outputs: { RoleArn: { Value: { 'Fn::GetAtt': ['ExportRole', 'Arn'] } } },
    });
  });

  test.each([
    ['stream', streamTarget, stream],
    ['bucket', bucketTarget, bucket],
  ])(
    'leave the policy of an existing key to the owner, because no template can change it (%s)',
    (_kind, target, of) => {
      const { Outputs } = parsed(target, 'cloudformation') as { Outputs: { KeyPolicy: { Value: string } } };
      expect(JSON.parse(Outputs.KeyPolicy.Value)).toEqual(of.keyPolicy?.document);
    },
  );

  test.each([
    ['stream', streamWithNewKey, stream],
    ['bucket', bucketWithNewKey, bucket],
  ])('create a new key with the same policy (%s)', (_kind, target, of) => {
    const { Resources, Outputs } = parsed(target, 'cloudformation') as {
      Resources: Record<string, object>;
      Outputs: object;
    };
    expect(Resources['EventKey']).toMatchObject({
      Type: 'AWS::KMS::Key',
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { KeyPolicy: of.keyPolicy?.document },
    });
    expect(Outputs).toMatchObject({ KeyArn: { Value: { 'Fn::GetAtt': ['EventKey', 'Arn'] } } });
    expect(Outputs).not.toHaveProperty('KeyPolicy');
  });
});

describe('policies as Terraform', () => {
  test('create role, permissions and key with the same documents', () => {
    const hcl = renderPolicies(streamTarget, 'terraform');
    expect(jsonencoded(hcl)).toEqual([
      ['assume_role_policy', stream.trustPolicy],
      ['policy', stream.permissionPolicy],
      ['policy', stream.keyPolicy?.document],
    ]);
    expect(hcl.match(/^(?:resource|output) .*$/gm)).toEqual([
      'resource "aws_iam_role" "omi_event_export" {',
      'resource "aws_iam_role_policy" "omi_event_export" {',
      'resource "aws_kms_key_policy" "omi_event_export" {',
      'output "role_arn" {',
    ]);
    expect(hcl).toContain(`  key_id = "${kmsKeyArn}"`);
  });

  test.each([
    ['stream', streamWithNewKey, stream],
    ['bucket', bucketWithNewKey, bucket],
  ])('create a new key with the same policy (%s)', (_kind, target, of) => {
    const hcl = renderPolicies(target, 'terraform');
    expect(jsonencoded(hcl).at(-1)).toEqual(['policy', of.keyPolicy?.document]);
    expect(hcl).toContain('resource "aws_kms_key" "omi_event_export" {');
    expect(hcl).toContain('output "key_arn" {');
    expect(hcl).not.toContain('key_id');
  });

  test('escape texts so that they start no template and end no string', () => {
    expect(hclValue('${var.x} %{if true} $${y}')).toBe(
      String.raw`"\u0024{var.x} \u0025{if true} $\u0024{y}"`,
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('$', '%', '{', '}', '"', '\\', '\n', '\b', '\f', 'b') }),
        (text) => {
          const literal = hclValue(text);
          expect(literal).not.toMatch(/[$%]\{|\n|(?<!\\)(?:\\\\)*\\[bf]/);
          expect(JSON.parse(literal)).toBe(text);
        },
      ),
    );
  });
});

test('a target has exactly one key, an existing or a new one', () => {
  expect(() => tenantDocuments({ ...streamTarget, newKey: true })).toThrow('either a key or a new key');
  expect(() => tenantDocuments({ ...bucketTarget, newKey: bucketWithNewKey.newKey })).toThrow('either a key');
  expect(() => tenantDocuments(bucketWithoutKey)).toThrow('expected a key');
  for (const place of [{ account: '*' }, { region: '*' }, { region: 'eu-central-1"' }])
    expect(() =>
      tenantDocuments({ ...bucketWithNewKey, newKey: { ...bucketWithNewKey.newKey, ...place } }),
    ).toThrow('expected');
});

test("a stream's role needs no permission for a new key, whose policy names the role", () => {
  const { permissionPolicy, keyPolicy } = tenantDocuments(streamWithNewKey) as RoleDocuments;
  expect(JSON.stringify(permissionPolicy)).not.toContain('kms');
  expect(keyPolicy?.document.Statement.at(-1)).toMatchObject({
    Principal: { AWS: 'arn:aws:iam::111122223333:role/omi-event-export' },
  });
});

describe.each(policyFormats)('policies in the format %s', (format) => {
  test.each(['x"y', 'x\ny', "x'y", 'x*', '*', '${aws:username}', '%{x}', 'x\\', '{"Ref":"AWS::AccountId"}'])(
    'reject the name %j',
    (name) => {
      const streamArn = `arn:aws:kinesis:eu-central-1:111122223333:stream/${name}`;
      expect(() => renderPolicies({ ...streamTarget, streamArn }, format)).toThrow();
      expect(() => renderPolicies({ ...streamTarget, externalId: name.padEnd(20, 'x') }, format)).toThrow();
      expect(() => renderPolicies({ ...streamTarget, roleName: name }, format)).toThrow();
      expect(() => renderPolicies({ ...bucketTarget, bucket: name }, format)).toThrow();
      const busArn = `arn:aws:events:eu-central-1:111122223333:event-bus/${name}`;
      expect(() => renderPolicies({ ...busTarget, busArn }, format)).toThrow();
      expect(() => renderPolicies({ ...bucketTarget, deliveryRoleArn: name }, format)).toThrow();
    },
  );

  test("mention only the tenant's own resources", () => {
    for (const target of [streamTarget, bucketTarget, busTarget]) {
      const arns = renderPolicies(target, format).match(/arn:aws:(?:s3|kinesis|kms|events):[^"\\]*/g) ?? [];
      const own = [
        'arn:aws:s3:::tenant-events',
        'arn:aws:s3:::tenant-events/*',
        streamTarget.streamArn,
        busTarget.busArn,
      ];
      const others = arns.filter((arn) => ![...own, kmsKeyArn].includes(arn.replace(/: set it.*/, '')));
      expect({ found: arns.length > 0, others }).toEqual({ found: true, others: [] });
    }
  });
});
