import { CfnResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
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
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { LambdaCode } from '../lambda-code.ts';
import type { WebAppConfig } from '../web-app-config.ts';
import { notCached } from './edge.ts';
import { nameOf } from './cloudfront-names.ts';
import { securityHeadersPolicy } from './security-headers.ts';
import type { LogSettings } from './service-function.ts';
import { WebAppDeployment } from './web-app-deployment.ts';

export type WebAppProps = {
  settings: WebAppConfig;
  api: {
    /** The base URL, which devices sign. */
    url: string;
    host: string;
  };
  stage: string;
  code: LambdaCode;
  logs: LogSettings;
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
    const { settings, api, retain } = props;
    const { domain } = settings;
    const bucket = this.#createBucket();
    const distribution = this.#createDistribution(bucket, props);
    acknowledge(distribution, { hasDomain: domain !== undefined, hasWebAcl: props.webAclArn !== undefined });
    this.#keepOrigin(retain);
    new WebAppDeployment(this, 'Deployment', { ...props, bucket, baseUrl: api.url });
    this.host = domain?.name ?? distribution.distributionDomainName;
    this.domainTarget = domain && distribution.distributionDomainName;
  }

  /** The distribution works only with its policies and with the bucket's. A resource whose creation fails is deleted. */
  #keepOrigin(retain: boolean): void {
    const policy = retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    for (const child of this.node.findAll().filter(CfnResource.isCfnResource))
      child.applyRemovalPolicy(policy);
  }

  #createBucket(): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'The files are public, and only CloudFront reads them. Nobody would read an access log.',
    });
    return bucket;
  }

  #createDistribution(bucket: Bucket, { settings, api, webAclArn }: WebAppProps): Distribution {
    const { domain } = settings;
    const cachePolicy = byCacheControl(this);
    const responseHeadersPolicy = securityHeadersPolicy(this);
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
        origin: S3BucketOrigin.withOriginAccessControl(bucket as IBucket, {
          originAccessControl: new S3OriginAccessControl(this, 'OriginAccess', {
            originAccessControlName: nameOf(this, 'app'),
          }),
        }),
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy,
        responseHeadersPolicy,
      },
      additionalBehaviors: deviceCalls(this, { host: api.host, cachePolicy, responseHeadersPolicy }),
    });
  }
}

/** The origin's `Cache-Control` decides. Without one nothing is cached. */
const byCacheControl = (scope: Construct): CachePolicy =>
  new CachePolicy(scope, 'ByCacheControl', {
    cachePolicyName: nameOf(scope, 'by-cache-control'),
    comment: 'OMI: as the Cache-Control of the origin says',
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.days(365),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });

type CallOptions = { host: string } & Required<
  Pick<BehaviorOptions, 'cachePolicy' | 'responseHeadersPolicy'>
>;

/** Devices' calls by path; the first that matches counts. The app calls its own origin, so the API needs no CORS. */
function deviceCalls(
  scope: Construct,
  { host, cachePolicy, responseHeadersPolicy }: CallOptions,
): Record<string, BehaviorOptions> {
  const origin = new HttpOrigin(host, {
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
    responseHeadersPolicy,
    compress: false,
  };
  // The same for all callers, without credentials.
  const settings: BehaviorOptions = {
    origin,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    cachePolicy,
    responseHeadersPolicy,
  };
  return { '/omi/device/settings': settings, '/omi/device': forwarded, '/omi/device/*': forwarded };
}

/** API Gateway finds its domain by `Host`, so CloudFront must send the name of the origin. */
const exceptHost = (scope: Construct): OriginRequestPolicy =>
  new OriginRequestPolicy(scope, 'ExceptHost', {
    originRequestPolicyName: nameOf(scope, 'except-host'),
    comment: 'OMI: all headers of the caller except Host, no cookies',
    headerBehavior: OriginRequestHeaderBehavior.denyList('host'),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    cookieBehavior: OriginRequestCookieBehavior.none(),
  });

function acknowledge(
  distribution: Distribution,
  { hasDomain, hasWebAcl }: { hasDomain: boolean; hasWebAcl: boolean },
): void {
  const acknowledgements = {
    'AwsSolutions-CFR1':
      'The operator decides in which countries the app may be used. The service excludes none.',
    'AwsSolutions-CFR3': 'The files are public, and the API has an access log of devices’ calls.',
    ...(!hasWebAcl && {
      'AwsSolutions-CFR2':
        'The files are public and cached, and the API limits calls. A stage with api.edge limits the calls of each address.',
    }),
    ...(!hasDomain && {
      'AwsSolutions-CFR4':
        'CloudFront allows older TLS for its own names. Browsers of web devices use TLS 1.2 or newer; a stage with webApp.domain accepts nothing else.',
    }),
  };
  for (const [id, reason] of Object.entries(acknowledgements))
    Validations.of(distribution).acknowledge({ id, reason });
}
