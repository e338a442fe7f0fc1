import { CfnOutput, Fn, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';

export type EdgeConfig = NonNullable<StageConfig['api']['edge']>;

/** AWS keeps resources for CloudFront only in this region. */
const region = 'us-east-1';
const output = 'WebAclArn';

const retryAfter = { name: 'Retry-After', value: '300' };

/**
 * WAF adds this header with a secret to what it lets through. It writes the prefix itself:
 * https://docs.aws.amazon.com/waf/latest/developerguide/customizing-the-incoming-request.html
 */
const counted = { inserted: 'omi-counted', received: 'x-amzn-waf-omi-counted' };

/**
 * The web ACL of a stage with CloudFront in front of the API. It limits the calls of each address. Calls of pages pass it twice, at
 * the page's distribution and at the API's, where their address is CloudFront's: they are counted the first time alone.
 */
export class EdgeStack extends Stack {
  /** A reference that stacks of every region can use. */
  readonly webAclArn: string;

  constructor(scope: Construct, id: string, edge: EdgeConfig, props: StackProps = {}) {
    super(scope, id, { stackName: id, ...props, env: { ...props.env, region } });
    const { devices, all } = edge.requestsPerFiveMinutes;
    const secret = this.#secretOf(edge).secretValue.unsafeUnwrap();
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      description: 'OMI: limits the calls of each address',
      defaultAction: {
        allow: {
          customRequestHandling: { insertHeaders: [{ name: counted.inserted, value: secret }] },
        },
      },
      visibilityConfig: metricsAs(`${id}-web-acl`),
      customResponseBodies: {
        tooMany: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify({ message: 'Too Many Requests' }),
        },
      },
      rules: [
        { ...countedRule(secret), visibilityConfig: metricsAs(`${id}-counted`) },
        { ...rateRule('devices', 1, devices, deviceCalls), visibilityConfig: metricsAs(`${id}-devices`) },
        { ...rateRule('all', 2, all), visibilityConfig: metricsAs(`${id}-all`) },
      ],
    });
    new CfnOutput(this, output, { value: acl.attrArn });
    this.webAclArn = Fn.getStackOutput(this.stackName, output, region);
  }

  /** With another revision it is another resource, so it gets another value. The template has a reference to it alone. */
  #secretOf({ secretRevision }: EdgeConfig): Secret {
    const secret = new Secret(this, `Counted${secretRevision}`, {
      description: 'OMI: identifies calls that the web ACL has counted',
      generateSecretString: { excludePunctuation: true, passwordLength: 43 },
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Only the web ACL knows it. A deployment with another secretRevision changes it.',
    });
    return secret;
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

/** Others can send the header, but not the secret. */
const countedRule = (secret: string) => ({
  name: 'counted',
  priority: 0,
  statement: {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: counted.received } },
      positionalConstraint: 'EXACTLY',
      searchString: secret,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  },
  action: { allow: {} },
});

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
