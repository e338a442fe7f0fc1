import type { PolicyDocument } from '../../../core/export/kinds/policies/policy-document.ts';
import type { BucketDocuments } from '../../../core/export/kinds/bucket/bucket-documents.ts';
import type { KeyPolicy } from '../../../core/export/kinds/policies/key-documents.ts';
import type { RoleDocuments } from '../../../core/export/kinds/role/role-documents.ts';
import type { TenantDocuments } from '../../../core/export/kinds/policies/tenant-documents.ts';
import { block, type Expression, hclValue, expression } from './hcl.ts';

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
