import { CfnResource, NestedStack, RemovalPolicy } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { exportsPageHeaders, forwardedToApi } from '../../pages/exports/headers.ts';
import type { ExportsPageConfig } from '../exports-page-config.ts';
import type { Pages } from './pages-deployment.ts';
import { apiOrigin, forwardedTo, pagesBucket, pagesDistribution, tenantBrands } from './pages-origin.ts';
import { pageBrandOf, type StageBrandConfig } from '../web-app-config.ts';
import type { SignIn, StaffIdentity } from './staff-identity.ts';

export type ExportsPageProps = {
  settings: ExportsPageConfig;
  api: { host: string };
  /** Where tenants get a token. */
  tokens: { tokenUrl: string | undefined; scopePrefix: string };
  staff: StaffIdentity;
  /** How the stage presents its pages, if not as OMI does. */
  brand: StageBrandConfig | undefined;
  /** Web ACL of the stage's edge stack, if it has one. */
  webAclArn: string | undefined;
};

/**
 * The page on which tenants see and steer their exports, on an origin of its own: CloudFront serves its files from a bucket,
 * and forwards its calls to the API. Nothing is kept there, so it is deleted with the stack.
 */
export class ExportsPage extends NestedStack {
  readonly host: string;
  /** Target of the custom domain's DNS record. */
  readonly domainTarget: string | undefined;
  /** Undefined where the page takes pasted tokens alone. */
  readonly signIn: SignIn | undefined;
  readonly pages: Pages;

  constructor(scope: Construct, id: string, props: ExportsPageProps) {
    super(scope, id, { description: 'OMI: the page on which tenants see and steer their exports' });
    const { tokenUrl, scopePrefix } = props.tokens;
    const { settings, api, brand, webAclArn } = props;
    const { domain } = settings;
    const staff = settings.signIn && props.staff.serves('exports') ? props.staff : undefined;
    const bucket = pagesBucket(this);
    const distribution = pagesDistribution(this, {
      bucket,
      what: 'exports page',
      headers: exportsPageHeaders(staff?.tokenOrigin),
      domain,
      webAclArn,
      calls: (policies) => {
        const origin = apiOrigin(api.host);
        const forwarded = forwardedTo(this, origin, policies);
        return {
          ...Object.fromEntries(forwardedToApi.map((path) => [path, forwarded])),
          ...tenantBrands(origin, policies),
        };
      },
    });
    this.host = domain?.name ?? distribution.distributionDomainName;
    this.domainTarget = domain && distribution.distributionDomainName;
    this.signIn = staff?.signInFor('exports', this, this.host);
    for (const child of this.node.findAll().filter(CfnResource.isCfnResource))
      child.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.pages = {
      ...{ deployedBy: 'deploy-exports-page', bucket, retain: false },
      documents: {
        '/config.json': {
          ...(tokenUrl !== undefined && { tokenUrl, scopePrefix }),
          ...(this.signIn && { signIn: this.signIn }),
          ...(brand && { brand: pageBrandOf(brand) }),
        },
      },
    };
  }
}
