import { CfnResource, RemovalPolicy } from 'aws-cdk-lib';
import { AllowedMethods, type BehaviorOptions, ViewerProtocolPolicy } from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';
import { appHeaders } from '../../pages/app/headers.ts';
import type { LambdaCode } from '../lambda-code.ts';
import { universalLinkFiles } from '../universal-links.ts';
import type { WebAppConfig } from '../web-app-config.ts';
import {
  apiOrigin,
  forwardedTo,
  type OriginPolicies,
  pagesBucket,
  pagesDistribution,
} from './pages-origin.ts';
import { PagesDeployment } from './pages-deployment.ts';
import type { LogSettings } from './service-function.ts';

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
    const bucket = pagesBucket(this);
    const distribution = pagesDistribution(this, {
      bucket,
      what: 'web app',
      headers: appHeaders,
      domain,
      webAclArn: props.webAclArn,
      calls: (policies) => deviceCalls(this, api.host, policies),
    });
    this.#keepOrigin(retain);
    new PagesDeployment(this, 'Deployment', {
      ...props,
      name: 'deploy-web-app',
      bucket,
      documents: { '/config.json': { baseUrl: api.url }, ...universalLinkFiles(settings) },
    });
    this.host = domain?.name ?? distribution.distributionDomainName;
    this.domainTarget = domain && distribution.distributionDomainName;
  }

  /** The distribution works only with its policies and with the bucket's. A resource whose creation fails is deleted. */
  #keepOrigin(retain: boolean): void {
    const policy = retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    for (const child of this.node.findAll().filter(CfnResource.isCfnResource))
      child.applyRemovalPolicy(policy);
  }
}

/** Devices' calls by path; the first that matches counts. */
function deviceCalls(
  scope: Construct,
  host: string,
  policies: OriginPolicies,
): Record<string, BehaviorOptions> {
  const origin = apiOrigin(host);
  const forwarded = forwardedTo(scope, origin, policies);
  // The same for all callers, without credentials.
  const settings: BehaviorOptions = {
    origin,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    ...policies,
  };
  // A logo comes with a policy of its own, which is stricter than the app's.
  const { responseHeadersPolicy: _, ...brands } = settings;
  return {
    '/omi/device/settings': settings,
    '/omi/device/tenants/*': brands,
    '/omi/device': forwarded,
    '/omi/device/*': forwarded,
  };
}
