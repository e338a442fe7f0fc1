import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
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
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { WebAppConfig } from '../web-app-config.ts';
import { notCached } from './edge.ts';

export type WebAppProps = {
  settings: WebAppConfig;
  /** Host of the API's base URL. */
  apiHost: string;
  /** Web ACL of the stage's edge stack, if it has one. */
  webAclArn: string | undefined;
  /** Keeps the app's origin when the stack is deleted. */
  retain: boolean;
};

/**
 * The web app on an origin of its own: CloudFront serves its files from a bucket and forwards devices' calls to the API. Keys
 * and passkeys of web devices belong to this origin, so nothing here may be replaced.
 */
export class WebApp extends Construct {
  readonly host: string;
  /** Target of the custom domain's DNS record. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, props: WebAppProps) {
    super(scope, id);
    const { domain } = props.settings;
    // A bucket or distribution is deleted if its creation fails.
    const removalPolicy = props.retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    const bucket = this.#createBucket(removalPolicy);
    const distribution = this.#createDistribution(bucket, props);
    distribution.applyRemovalPolicy(removalPolicy);
    acknowledge(distribution, domain !== undefined);
    this.host = domain?.name ?? distribution.distributionDomainName;
    this.domainTarget = domain && distribution.distributionDomainName;
  }

  #createBucket(removalPolicy: RemovalPolicy): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'The files are public, and only CloudFront reads them. Nobody would read an access log.',
    });
    return bucket;
  }

  #createDistribution(bucket: Bucket, { settings, apiHost, webAclArn }: WebAppProps): Distribution {
    const { domain } = settings;
    const calls = deviceCalls(this, apiHost);
    return new Distribution(this, 'Distribution', {
      comment: `${Stack.of(this).stackName} web app`,
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultRootObject: 'index.html',
      errorResponses: notCached,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket as IBucket),
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy: byCacheControl(this),
      },
      additionalBehaviors: calls,
    });
  }
}

/** The origin's `Cache-Control` decides. Without one nothing is cached. */
const byCacheControl = (scope: Construct): CachePolicy =>
  new CachePolicy(scope, 'ByCacheControl', {
    comment: 'OMI: as the Cache-Control of the origin says',
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.days(365),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });

/** Devices' calls by path. The app calls its own origin, so the API needs no CORS. */
function deviceCalls(scope: Construct, apiHost: string): Record<string, BehaviorOptions> {
  const origin = new HttpOrigin(apiHost, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    // API Gateway waits for a Lambda this long.
    readTimeout: Duration.seconds(30),
  });
  const forwarded: BehaviorOptions = {
    origin,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: exceptHost(scope),
    compress: false,
  };
  return { '/omi/device': forwarded, '/omi/device/*': forwarded };
}

/** API Gateway finds its domain by `Host`, so CloudFront must send the name of the origin. */
const exceptHost = (scope: Construct): OriginRequestPolicy =>
  new OriginRequestPolicy(scope, 'ExceptHost', {
    comment: 'OMI: all headers of the caller except Host, no cookies',
    headerBehavior: OriginRequestHeaderBehavior.denyList('host'),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    cookieBehavior: OriginRequestCookieBehavior.none(),
  });

function acknowledge(distribution: Distribution, hasDomain: boolean): void {
  const acknowledgements = {
    'AwsSolutions-CFR1':
      'The operator decides in which countries the app may be used. The service excludes none.',
    'AwsSolutions-CFR3': 'The files are public, and the API has an access log of devices’ calls.',
    ...(!hasDomain && {
      'AwsSolutions-CFR4':
        'CloudFront allows older TLS for its own names. Browsers of web devices use TLS 1.2 or newer; a stage with webApp.domain accepts nothing else.',
    }),
  };
  for (const [id, reason] of Object.entries(acknowledgements))
    Validations.of(distribution).acknowledge({ id, reason });
}
