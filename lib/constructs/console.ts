import { CfnResource, NestedStack, RemovalPolicy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { consoleHeaders, forwardedToApi } from '../../pages/console/headers.ts';
import type { ConsoleConfig } from '../staff-config.ts';
import type { Pages } from './pages-deployment.ts';
import { apiOrigin, forwardedTo, pagesBucket, pagesDistribution, tenantBrands } from './pages-origin.ts';
import { pageBrandOf, type StageBrandConfig } from '../web-app-config.ts';
import type { SignIn, StaffIdentity } from './staff-identity.ts';

export type ConsoleProps = {
  settings: ConsoleConfig;
  staff: StaffIdentity;
  api: { host: string };
  /** How the stage presents its pages, if not as OMI does. */
  brand: StageBrandConfig | undefined;
  /** Web ACL of the stage's edge stack, if it has one. */
  webAclArn: string | undefined;
};

/** The help desk's page, on an origin of its own, like the exports page. */
export class Console extends NestedStack {
  readonly host: string;
  /** Target of the custom domain's DNS record. */
  readonly domainTarget: string | undefined;
  readonly signIn: SignIn;
  readonly pages: Pages;

  constructor(scope: Construct, id: string, props: ConsoleProps) {
    super(scope, id, { description: 'OMI: the page of the help desk' });
    const { settings, staff, api, brand, webAclArn } = props;
    const { domain } = settings;
    // Resources of two nested stacks with the same path would have the same ids.
    const page = new Construct(this, 'HelpDesk');
    const bucket = pagesBucket(page);
    const distribution = pagesDistribution(page, {
      bucket,
      what: 'help desk',
      headers: consoleHeaders(staff.tokenOrigin),
      domain,
      webAclArn,
      calls: (policies) => {
        const origin = apiOrigin(api.host);
        const forwarded = forwardedTo(page, origin, policies);
        return {
          ...Object.fromEntries(forwardedToApi.map((path) => [path, forwarded])),
          ...tenantBrands(origin, policies),
        };
      },
    });
    this.host = domain?.name ?? distribution.distributionDomainName;
    this.domainTarget = domain && distribution.distributionDomainName;
    this.signIn = staff.signInFor('console', page, this.host);
    for (const child of this.node.findAll().filter(CfnResource.isCfnResource))
      child.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.pages = {
      ...{ deployedBy: 'deploy-console', bucket, retain: false },
      documents: { '/config.json': { ...this.signIn, ...(brand && { brand: pageBrandOf(brand) }) } },
    };
  }
}
