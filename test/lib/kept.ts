import type { Template } from 'aws-cdk-lib/assertions';
import { resourcesOf } from './synthesize.ts';

/** Types of resources that must never be replaced, because data would be lost or others use their names. */
export type Kept = { type: string; fixed: Record<string, unknown> };

/**
 * The used properties of each type whose change replaces the resource: "Update requires: Replacement" in the CloudFormation
 * Template Reference.
 */
const replacing: Record<string, readonly string[]> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::Cognito::UserPool': ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'],
  'AWS::Cognito::UserPoolResourceServer': ['Identifier', 'UserPoolId'],
  'AWS::Cognito::UserPoolDomain': ['Domain', 'UserPoolId'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::S3::Bucket': ['BucketName'],
  // A change of any property keeps its name, to which keys and passkeys of web devices belong.
  'AWS::CloudFront::Distribution': [],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName', 'Description', 'Path'],
};

/** No policy of others can trust a role without a fixed name. Those that only keys know may be made again. */
const trustedRoles = (template: Template) =>
  resourcesOf(template, 'AWS::IAM::Role').filter(
    ([, { Properties, DeletionPolicy }]) => 'RoleName' in Properties && DeletionPolicy?.startsWith('Retain'),
  );

/** These resources of a template by logical id. */
export function keptIn(template: Template): Record<string, Kept> {
  const stateful = Object.entries(replacing).flatMap(([type, properties]) =>
    resourcesOf(template, type).map(([id, { Properties }]) => {
      const fixed = properties.filter((name) => name in Properties).map((name) => [name, Properties[name]]);
      return [id, { type, fixed: Object.fromEntries(fixed) as Kept['fixed'] }] as const;
    }),
  );
  const roles = trustedRoles(template).map(([id, { Properties }]) => {
    const { RoleName, Path = '/' } = Properties;
    return [id, { type: 'AWS::IAM::Role', fixed: { RoleName, Path } }] as const;
  });
  return Object.fromEntries([...stateful, ...roles]);
}
