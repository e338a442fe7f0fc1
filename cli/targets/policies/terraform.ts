import type { PolicyDocument } from '../../../core/export/kinds/policies/policy-document.ts';
import type { BucketDocuments } from '../../../core/export/kinds/bucket/bucket-documents.ts';
import type { KeyPolicy } from '../../../core/export/kinds/policies/key-documents.ts';
import type { RoleDocuments } from '../../../core/export/kinds/role/role-documents.ts';
import type { TenantDocuments } from '../../../core/export/kinds/policies/tenant-documents.ts';

/** The part of Terraform's language that policies need. */

declare const hcl: unique symbol;
/** An expression of the language, in contrast to a string that needs quotes. */
type Expression = string & { readonly [hcl]: true };

/** Only for text from this program, never from a tenant. */
const expression = (text: string): Expression => text as Expression;

/** JSON's short escapes that the language lacks, and the characters that begin a template inside of a string. */
const codes: Record<string, string> = { '\\b': '\\u0008', '\\f': '\\u000c', $: '\\u0024', '%': '\\u0025' };

/** A value as a literal. Except for {@link codes}, the language writes objects and lists like JSON. */
export const hclValue = (value: unknown): Expression =>
  expression(
    JSON.stringify(value, null, 2).replaceAll(/\\.|[$%](?=\{)/g, (special) => codes[special] ?? special),
  );

export function block([type = '', ...labels]: string[], attributes: Record<string, Expression>): string {
  const head = [type, ...labels.map((label) => `"${label}"`)].join(' ');
  const body = Object.entries(attributes).map(([name, value]) => `  ${name} = ${indented(value)}\n`);
  return `${head} {\n${body.join('')}}\n`;
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** Resources of the AWS provider with only the policies. */
export const terraformOf = (documents: TenantDocuments): string =>
  ('roleName' in documents ? roleBlocks(documents) : bucketBlocks(documents)).join('\n');

const roleBlocks = ({ roleName, trustPolicy, permissionPolicy, keyPolicy }: RoleDocuments): string[] => [
  block(['resource', 'aws_iam_role', 'omi_event_export'], {
    name: hclValue(roleName),
    assume_role_policy: jsonencode(trustPolicy),
  }),
  block(['resource', 'aws_iam_role_policy', 'omi_event_export'], {
    name: hclValue('write-events'),
    role: expression('aws_iam_role.omi_event_export.id'),
    policy: jsonencode(permissionPolicy),
  }),
  // KMS rejects a policy that names a missing role.
  ...keyBlocks(keyPolicy, { depends_on: expression('[aws_iam_role.omi_event_export]') }),
  block(['output', 'role_arn'], { value: expression('aws_iam_role.omi_event_export.arn') }),
];

const bucketBlocks = ({ bucket, bucketPolicy, keyPolicy }: BucketDocuments): string[] => [
  block(['resource', 'aws_s3_bucket_policy', 'omi_event_export'], {
    bucket: hclValue(bucket),
    policy: jsonencode(bucketPolicy),
  }),
  ...keyBlocks(keyPolicy),
];

function keyBlocks(keyPolicy?: KeyPolicy, more: Record<string, Expression> = {}): string[] {
  if (!keyPolicy) return [];
  const policy = jsonencode(keyPolicy.document);
  if (keyPolicy.keyArn !== undefined)
    return [
      block(['resource', 'aws_kms_key_policy', 'omi_event_export'], {
        key_id: hclValue(keyPolicy.keyArn),
        policy,
        ...more,
      }),
    ];
  return [
    block(['resource', 'aws_kms_key', 'omi_event_export'], {
      description: hclValue('Encrypts events of OMI.'),
      enable_key_rotation: hclValue(true),
      policy,
      ...more,
    }),
    block(['output', 'key_arn'], { value: expression('aws_kms_key.omi_event_export.arn') }),
  ];
}

const jsonencode = (document: PolicyDocument): Expression => expression(`jsonencode(${hclValue(document)})`);
