import { Duration, Stack, Validations } from 'aws-cdk-lib';
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
  type ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { notCached } from './edge.ts';
import { nameOf } from './cloudfront-names.ts';
import { securityHeadersPolicy } from './security-headers.ts';

/** The bucket with the files of pages, which only CloudFront reads. */
export function pagesBucket(scope: Construct): Bucket {
  const bucket = new Bucket(scope, 'Bucket', {
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

/** What behaviours of an origin have in common. */
export type OriginPolicies = { cachePolicy: CachePolicy; responseHeadersPolicy: ResponseHeadersPolicy };

export type PagesDistributionProps = {
  bucket: Bucket;
  /** What is served, for people: "web app". */
  what: string;
  /** On every answer of the origin. */
  headers: Readonly<Record<string, string>>;
  domain: { name: string; certificateArn: string } | undefined;
  webAclArn: string | undefined;
  /** Calls by path; the first that matches counts. */
  calls: (policies: OriginPolicies) => Record<string, BehaviorOptions>;
};

/** Serves pages from the bucket, and passes their calls on to the API. */
export function pagesDistribution(scope: Construct, props: PagesDistributionProps): Distribution {
  const { bucket, what, headers, domain, webAclArn, calls } = props;
  const cachePolicy = byCacheControl(scope);
  const responseHeadersPolicy = securityHeadersPolicy(scope, what, headers);
  const distribution = new Distribution(scope, 'Distribution', {
    comment: `${(Stack.of(scope).nestedStackParent ?? Stack.of(scope)).stackName} ${what}`,
    ...(domain && {
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }),
    ...(webAclArn !== undefined && { webAclId: webAclArn }),
    httpVersion: HttpVersion.HTTP2_AND_3,
    defaultRootObject: 'index.html',
    errorResponses: notCached,
    defaultBehavior: {
      origin: S3BucketOrigin.withOriginAccessControl(bucket as IBucket, {
        originAccessControl: new S3OriginAccessControl(scope, 'OriginAccess', {
          originAccessControlName: nameOf(scope, 'app'),
        }),
      }),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy,
      responseHeadersPolicy,
    },
    additionalBehaviors: calls({ cachePolicy, responseHeadersPolicy }),
  });
  acknowledge(distribution, { hasDomain: domain !== undefined, hasWebAcl: webAclArn !== undefined });
  return distribution;
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

/** The API, over TLS. A page calls its own origin, so the API needs no CORS. */
export const apiOrigin = (host: string): HttpOrigin =>
  new HttpOrigin(host, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    // API Gateway waits for a Lambda this long.
    readTimeout: Duration.seconds(30),
  });

/** Calls that are answered the same to all callers, without credentials. */
export const publicCalls = (origin: HttpOrigin, policies: OriginPolicies): BehaviorOptions => ({
  origin,
  allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
  viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  ...policies,
});

/** How tenants present themselves. A logo comes with a policy of its own, which is stricter than the page's. */
export function tenantBrands(origin: HttpOrigin, policies: OriginPolicies): Record<string, BehaviorOptions> {
  const { responseHeadersPolicy: _, ...brands } = publicCalls(origin, policies);
  return { '/omi/device/tenants/*': brands };
}

/** Calls that go to the API as they are. */
export const forwardedTo = (
  scope: Construct,
  origin: HttpOrigin,
  { responseHeadersPolicy }: OriginPolicies,
): BehaviorOptions => ({
  origin,
  allowedMethods: AllowedMethods.ALLOW_ALL,
  viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  cachePolicy: CachePolicy.CACHING_DISABLED,
  originRequestPolicy: exceptHost(scope),
  responseHeadersPolicy,
  compress: false,
});

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
      'The operator decides in which countries the pages may be used. The service excludes none.',
    'AwsSolutions-CFR3': 'The files are public, and the API has an access log of the pages’ calls.',
    ...(!hasWebAcl && {
      'AwsSolutions-CFR2':
        'The files are public and cached, and the API limits calls. A stage with api.edge limits the calls of each address.',
    }),
    ...(!hasDomain && {
      'AwsSolutions-CFR4':
        'CloudFront allows older TLS for its own names. Browsers that run the pages use TLS 1.2 or newer; a stage with a domain for them accepts nothing else.',
    }),
  };
  for (const [id, reason] of Object.entries(acknowledgements))
    Validations.of(distribution).acknowledge({ id, reason });
}
