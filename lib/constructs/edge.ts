import { Duration, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { edgeHeader } from '../../core/http/edge.ts';
import type { EdgeConfig } from '../edge-stack.ts';
import { nameOf } from './cloudfront-names.ts';
import { published } from './published.ts';
import type { ServiceFunction } from './service-function.ts';

export type EdgeProps = {
  edge: EdgeConfig;
  /** The API's public name, and API Gateway's host for it. */
  domain: { name: string; target: string };
  webAclArn: string;
};

/** References that CloudFormation resolves, so no template contains the secret: in its own stack, and in others. */
type EdgeSecret = { here: string; elsewhere: string };

/** CloudFront in front of the API. It is there for its firewall and caches no answer. */
export class Edge extends Construct {
  /** Target of the DNS record of the API's domain. */
  readonly domainTarget: string;
  /** The secret that CloudFront sends, and those that the Lambdas accept. */
  readonly #sent: EdgeSecret;
  readonly #accepted: readonly EdgeSecret[];
  readonly #isRequired: boolean;

  constructor(scope: Construct, id: string, { edge, domain, webAclArn }: EdgeProps) {
    super(scope, id);
    this.#isRequired = edge.required;
    const present = edge.secretRevision;
    // No Lambda accepts it, but CloudFormation still reads it in the templates of the other stacks before it updates them.
    if (present > 2) this.#secretOf(present - 2);
    this.#sent = this.#secretOf(present);
    this.#accepted = [
      ...(present > 1 ? [this.#secretOf(present - 1)] : []),
      this.#sent,
      this.#secretOf(present + 1),
    ];
    const distribution = new Distribution(this, 'Distribution', {
      comment: Stack.of(this).stackName,
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', edge.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      webAclId: webAclArn,
      errorResponses: notCached,
      defaultBehavior: {
        origin: this.#origin(domain.target),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: everything(this),
        compress: false,
      },
    });
    acknowledgeNoLog(distribution);
    this.domainTarget = distribution.distributionDomainName;
  }

  #origin(target: string): HttpOrigin {
    return new HttpOrigin(target, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      // API Gateway waits for a Lambda this long.
      readTimeout: Duration.seconds(30),
      customHeaders: { [edgeHeader]: this.#sent.here },
    });
  }

  /** Each revision is a resource of its own, so it has another value. */
  #secretOf(revision: number): EdgeSecret {
    const secret = new Secret(this, `Secret${revision}`, {
      description: 'OMI: identifies calls that came through CloudFront',
      generateSecretString: { excludePunctuation: true, passwordLength: 43 },
    });
    acknowledgeNoRotation(secret);
    const elsewhere = SecretValue.secretsManager(published(this, `EdgeSecret${revision}`, secret.secretArn));
    return { here: secret.secretValue.unsafeUnwrap(), elsewhere: elsewhere.unsafeUnwrap() };
  }

  /**
   * Tells the Lambda how to recognise calls that came through CloudFront. It knows the secrets before and after the present one, too:
   * a deployment changes the distribution first, and some Lambdas later than others.
   */
  serve(lambda: ServiceFunction): void {
    const place = Stack.of(lambda) === Stack.of(this) ? 'here' : 'elsewhere';
    lambda.setVariable('EDGE_SECRETS', this.#accepted.map((secret) => secret[place]).join(' '));
    lambda.setVariable('EDGE_REQUIRED', String(this.#isRequired));
  }
}

/**
 * By default CloudFront caches errors for 10 seconds, even if it caches nothing else. One caller would get another's 403 or
 * 404: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
 */
export const notCached = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));

/** The viewer's headers include `Authorization` and `Host`, by which API Gateway finds its domain. */
const everything = (scope: Construct): OriginRequestPolicy =>
  new OriginRequestPolicy(scope, 'Everything', {
    originRequestPolicyName: nameOf(scope, 'everything'),
    comment: 'OMI: everything that the caller sent, and its address',
    headerBehavior: OriginRequestHeaderBehavior.all('CloudFront-Viewer-Address'),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    cookieBehavior: OriginRequestCookieBehavior.none(),
  });

const acknowledgeNoRotation = (secret: Secret): void =>
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'Only a deployment can change it, because CloudFront and the Lambdas have it. One with the next secretRevision does.',
  });

function acknowledgeNoLog(distribution: Distribution): void {
  const reason =
    'The API has an access log without query strings, because they contain nonces. A log of CloudFront would contain them.';
  Validations.of(distribution).acknowledge({ id: 'AwsSolutions-CFR3', reason });
  Validations.of(distribution).acknowledge({
    id: 'AwsSolutions-CFR1',
    reason: 'The operator decides which countries may call. The service excludes none.',
  });
}
