import type { Template } from 'aws-cdk-lib/assertions';
import { resourcesOf } from './synthesize.ts';

/** What would be lost, or break those who trust it or were told its name, if CloudFormation replaced it. */
export type Kept = { type: string; fixed: Record<string, unknown> };

/**
 * By type, the properties in use here whose change replaces the resource: "Update requires: Replacement" in the
 * CloudFormation Template Reference.
 */
const replacing: Record<string, readonly string[]> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::Cognito::UserPool': ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'],
  'AWS::Cognito::UserPoolResourceServer': ['Identifier', 'UserPoolId'],
  'AWS::Cognito::UserPoolDomain': ['Domain', 'UserPoolId'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::KMS::Key': ['KeySpec', 'MultiRegion'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName', 'Description', 'Path'],
};

/** A role without a name is trusted by nobody. */
const trustedRoles = (template: Template) =>
  resourcesOf(template, 'AWS::IAM::Role').filter(
    ([, { Properties }]) => Properties['RoleName'] !== undefined,
  );

/** All of it in a template, by logical id. */
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
