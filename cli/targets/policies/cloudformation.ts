import type { BucketDocuments } from '../../../core/export/kinds/bucket/bucket-documents.ts';
import type { KeyPolicy } from '../../../core/export/kinds/policies/key-documents.ts';
import type { RoleDocuments } from '../../../core/export/kinds/role/role-documents.ts';
import type { TenantDocuments } from '../../../core/export/kinds/policies/tenant-documents.ts';

type Resource = {
  Type: string;
  DependsOn?: string;
  DeletionPolicy?: 'Retain';
  UpdateReplacePolicy?: 'Retain';
  Properties: object;
};

type Template = {
  AWSTemplateFormatVersion: '2010-09-09';
  Description: string;
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Description: string; Value: unknown }>;
};

/** A template with only the policies. Names are checked before, so the documents hold no intrinsic functions. */
export const cloudFormationOf = (documents: TenantDocuments): Template =>
  'roleName' in documents ? roleTemplate(documents) : bucketTemplate(documents);

const roleTemplate = ({ roleName, trustPolicy, permissionPolicy, keyPolicy }: RoleDocuments): Template => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'The role by which OMI sends events.',
  Resources: {
    ExportRole: {
      Type: 'AWS::IAM::Role',
      Properties: {
        RoleName: roleName,
        AssumeRolePolicyDocument: trustPolicy,
        Policies: [{ PolicyName: 'write-events', PolicyDocument: permissionPolicy }],
      },
    },
    // KMS rejects a policy that names a missing role.
    ...newKey(keyPolicy, { DependsOn: 'ExportRole' }),
  },
  Outputs: {
    RoleArn: { Description: 'For the operator of OMI.', Value: { 'Fn::GetAtt': ['ExportRole', 'Arn'] } },
    ...keyOutput(keyPolicy),
  },
});

const bucketTemplate = ({ bucket, bucketPolicy, keyPolicy }: BucketDocuments): Template => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'The policy by which OMI writes events into a bucket.',
  Resources: {
    BucketPolicy: {
      Type: 'AWS::S3::BucketPolicy',
      Properties: { Bucket: bucket, PolicyDocument: bucketPolicy },
    },
    ...newKey(keyPolicy),
  },
  Outputs: keyOutput(keyPolicy),
});

/** A key that is lost takes what it encrypted with it, so it outlives the template's stack. */
const newKey = (keyPolicy?: KeyPolicy, more: Partial<Resource> = {}): Template['Resources'] =>
  keyPolicy && keyPolicy.keyArn === undefined
    ? {
        EventKey: {
          Type: 'AWS::KMS::Key',
          ...more,
          DeletionPolicy: 'Retain',
          UpdateReplacePolicy: 'Retain',
          Properties: {
            Description: 'Encrypts events of OMI.',
            EnableKeyRotation: true,
            KeyPolicy: keyPolicy.document,
          },
        },
      }
    : {};

function keyOutput(keyPolicy?: KeyPolicy): NonNullable<Template['Outputs']> {
  if (!keyPolicy) return {};
  if (keyPolicy.keyArn === undefined)
    return {
      KeyArn: { Description: 'For the operator of OMI.', Value: { 'Fn::GetAtt': ['EventKey', 'Arn'] } },
    };
  // CloudFormation cannot change the policy of an existing key.
  return {
    KeyPolicy: {
      Description: `The policy for ${keyPolicy.keyArn}: set it with "aws kms put-key-policy".`,
      Value: JSON.stringify(keyPolicy.document),
    },
  };
}
