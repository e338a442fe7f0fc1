/** A second region of the account: the same stage must find no name taken there, because names cannot change later. */
import { describe, expect, test } from '@jest/globals';
import { everything } from './stacks.ts';
import { resourcesOf, synthesisOf } from './synthesize.ts';

/** Types whose names are unique in the account or in the world, and where the name is. */
const global: Record<string, readonly string[]> = {
  'AWS::IAM::Role': ['RoleName'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName'],
  'AWS::CloudFront::CachePolicy': ['CachePolicyConfig', 'Name'],
  'AWS::CloudFront::OriginRequestPolicy': ['OriginRequestPolicyConfig', 'Name'],
  'AWS::CloudFront::ResponseHeadersPolicy': ['ResponseHeadersPolicyConfig', 'Name'],
  'AWS::CloudFront::OriginAccessControl': ['OriginAccessControlConfig', 'Name'],
  'AWS::CloudFront::Distribution': ['DistributionConfig', 'Aliases'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::S3::Bucket': ['BucketName'],
};

/** Types whose names only their region or the resource around them has. The prefix of a user pool's domain is one of these. */
const regional =
  /^(Custom|AWS::(ApiGatewayV2|CDK|CloudFormation|CodeDeploy|Cognito|DynamoDB|Events|KMS|Lambda|Logs|SecretsManager|SNS|SQS))::|^AWS::(CloudWatch::Alarm|IAM::Policy|S3::BucketPolicy)$/;

const stage = 'production';
const synthesis = synthesisOf({ stage, settings: everything, demo: 'in-production' });
type Template = { Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }> };
const templateOf = (stack: string): Template =>
  synthesis.assembly.getStackByName(`omi-${stage}-${stack}`).template as Template;
const resources = [
  ...Object.entries((synthesis.template.toJSON() as Template).Resources),
  ...Object.entries(templateOf('demo').Resources),
];

const propertyOf = (properties: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], properties);

/** The text with what CloudFormation puts in place of the pseudo parameters. */
const inRegion = (value: unknown, region: string, uuid: string): string =>
  JSON.stringify(value)
    .replaceAll('{"Ref":"AWS::Region"}', `"${region}"`)
    .replaceAll('{"Ref":"AWS::StackId"}', `"stack/${uuid}"`);

const namesIn = (region: string, uuid: string): [id: string, name: string][] =>
  resources.flatMap(([id, { Type, Properties }]) => {
    const path = global[Type];
    const name = path && propertyOf(Properties, path);
    return name === undefined ? [] : [[id, `${Type} ${inRegion(name, region, uuid)}`]];
  });

describe('the same stage in two regions of an account', () => {
  const first = namesIn('eu-central-1', 'a');
  const taken = new Set(first.map(([, name]) => name));

  test('shares no global name except the domains of pages, which move to the region that serves them', () => {
    expect(first.length).toBeGreaterThan(20);
    const clashes = namesIn('eu-west-1', 'b').filter(([, name]) => taken.has(name));
    expect(clashes.map(([, name]) => name).sort()).toEqual([
      'AWS::CloudFront::Distribution ["api.example.com"]',
      'AWS::CloudFront::Distribution ["exports.example.com"]',
      'AWS::CloudFront::Distribution ["pages.example.com"]',
    ]);
  });

  test('has only resource types for which the scope of unique names is known', () => {
    const types = new Set(resources.map(([, { Type }]) => Type));
    expect([...types].filter((type) => !(type in global) && !regional.test(type))).toEqual([]);
  });

  test('shares the web ACL of CloudFront, which is the same for every region', () => {
    expect(JSON.stringify(templateOf('edge'))).not.toMatch(/AWS::(Region|StackId|StackName)/);
    expect(resourcesOf(synthesis.template, 'AWS::WAFv2::WebACL')).toEqual([]);
  });
});
