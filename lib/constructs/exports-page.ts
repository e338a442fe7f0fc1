import { CfnResource, NestedStack, RemovalPolicy } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { exportsPageHeaders, forwardedToApi } from '../../pages/exports/headers.ts';
import type { ExportsPageConfig } from '../exports-page-config.ts';
import type { LambdaCode } from '../lambda-code.ts';
import { PagesDeployment } from './pages-deployment.ts';
import { apiOrigin, forwardedTo, pagesBucket, pagesDistribution } from './pages-origin.ts';
import type { LogSettings } from './service-function.ts';

export type ExportsPageProps = {
  settings: ExportsPageConfig;
  api: { host: string };
  /** Where tenants get a token. */
  tokens: { tokenUrl: string | undefined; scopePrefix: string };
  stage: string;
  code: LambdaCode;
  logs: LogSettings;
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

  constructor(scope: Construct, id: string, props: ExportsPageProps) {
    super(scope, id, { description: 'OMI: the page on which tenants see and steer their exports' });
    const { tokenUrl, scopePrefix } = props.tokens;
    const { settings, api, stage, code, webAclArn } = props;
    const { domain } = settings;
    const logs = { ...props.logs, removalPolicy: RemovalPolicy.DESTROY };
    const bucket = pagesBucket(this);
    const distribution = pagesDistribution(this, {
      bucket,
      what: 'exports page',
      headers: exportsPageHeaders,
      domain,
      webAclArn,
      calls: (policies) => {
        const forwarded = forwardedTo(this, apiOrigin(api.host), policies);
        return Object.fromEntries(forwardedToApi.map((path) => [path, forwarded]));
      },
    });
    for (const child of this.node.findAll().filter(CfnResource.isCfnResource))
      child.applyRemovalPolicy(RemovalPolicy.DESTROY);
    new PagesDeployment(this, 'Deployment', {
      ...{ name: 'deploy-exports-page', bucket, stage, code, logs, retain: false },
      documents: { '/config.json': tokenUrl === undefined ? {} : { tokenUrl, scopePrefix } },
    });
    this.host = domain?.name ?? distribution.distributionDomainName;
    this.domainTarget = domain && distribution.distributionDomainName;
  }
}
