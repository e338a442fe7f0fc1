import { CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';

export type EdgeConfig = NonNullable<StageConfig['api']['edge']>;

/** AWS keeps resources for CloudFront only in this region. */
const region = 'us-east-1';
const output = 'WebAclArn';

const retryAfter = { name: 'Retry-After', value: '300' };

/** The web ACL of a stage with CloudFront in front of the API. It limits the calls of each address. */
export class EdgeStack extends Stack {
  /** A reference that stacks of every region can use. */
  readonly webAclArn: string;

  constructor(scope: Construct, id: string, edge: EdgeConfig, props: StackProps = {}) {
    super(scope, id, { ...props, env: { ...props.env, region } });
    const { devices, all } = edge.requestsPerFiveMinutes;
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      description: 'OMI: limits the calls of each address',
      defaultAction: { allow: {} },
      visibilityConfig: metricsAs(`${id}-web-acl`),
      customResponseBodies: {
        tooMany: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify({ message: 'Too Many Requests' }),
        },
      },
      rules: [
        { ...rateRule('devices', 0, devices, deviceCalls), visibilityConfig: metricsAs(`${id}-devices`) },
        { ...rateRule('all', 1, all), visibilityConfig: metricsAs(`${id}-all`) },
      ],
    });
    new CfnOutput(this, output, { value: acl.attrArn });
    this.webAclArn = Fn.getStackOutput(this.stackName, output, region);
  }
}

const metricsAs = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Samples would contain headers and so tokens.
  sampledRequestsEnabled: false,
});

/** API Gateway decodes a path before it matches the route. The rule does the same, or another spelling would bypass it. */
const deviceCalls: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'STARTS_WITH',
    searchString: '/omi/device',
    textTransformations: [
      { priority: 0, type: 'URL_DECODE' },
      { priority: 1, type: 'NORMALIZE_PATH' },
    ],
  },
};

function rateRule(
  name: string,
  priority: number,
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
) {
  return {
    name,
    priority,
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'IP',
        evaluationWindowSec: 300,
        limit,
        ...(scopeDownStatement && { scopeDownStatement }),
      },
    },
    action: {
      block: {
        customResponse: {
          responseCode: 429,
          customResponseBodyKey: 'tooMany',
          responseHeaders: [retryAfter],
        },
      },
    },
  };
}
