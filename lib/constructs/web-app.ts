import { CfnResource, RemovalPolicy } from 'aws-cdk-lib';
import type { BehaviorOptions } from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';
import { appHeaders } from '../../pages/app/headers.ts';
import { manifestOf } from '../../pages/app/manifest.ts';
import { appBrandOf, type WebAppConfig } from '../web-app-config.ts';
import {
  apiOrigin,
  forwardedTo,
  type OriginPolicies,
  pagesBucket,
  pagesDistribution,
  publicCalls,
  tenantBrands,
} from './pages-origin.ts';
import type { Pages } from './pages-deployment.ts';

/** The path of an enrolment's link. */
const enrolPath = '/enrol';

type LinkSettings = Pick<WebAppConfig, 'apple' | 'android'>;

/**
 * By which native apps open the links of this host and use its passkeys, by path. A host without native apps has these files,
 * too: the file of a removed app would keep its rights.
 */
const universalLinkFiles = (settings: LinkSettings): Record<string, object> => ({
  '/.well-known/apple-app-site-association': appleAssociation(settings),
  '/.well-known/assetlinks.json': androidLinks(settings),
});

/** https://developer.apple.com/documentation/xcode/supporting-associated-domains */
function appleAssociation({ apple }: LinkSettings): object {
  const appIDs = apple?.appIds ?? [];
  const details = appIDs.length === 0 ? [] : [{ appIDs, components: [{ '/': enrolPath }] }];
  return { applinks: { details }, webcredentials: { apps: appIDs } };
}

/** https://developer.android.com/identity/sign-in/credential-manager#add-support-dal */
const androidLinks = ({ android }: LinkSettings): object =>
  android.map(({ packageName, fingerprints }) => ({
    relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
    target: {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    },
  }));

export type WebAppProps = {
  settings: WebAppConfig;
  api: {
    /** The base URL, which devices sign. */
    url: string;
    host: string;
  };
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
  readonly pages: Pages;

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
    this.pages = {
      ...{ deployedBy: 'deploy-web-app', bucket, retain },
      documents: {
        '/config.json': { baseUrl: api.url, ...(settings.brand && { brand: appBrandOf(settings.brand) }) },
        ...(settings.brand && { '/manifest.webmanifest': manifestOf(settings.brand) }),
        ...universalLinkFiles(settings),
      },
    };
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
  return {
    '/omi/device/settings': publicCalls(origin, policies),
    ...tenantBrands(origin, policies),
    '/omi/device': forwarded,
    '/omi/device/*': forwarded,
  };
}
