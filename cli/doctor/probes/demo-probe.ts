import * as v from 'valibot';
import { siteHeaders } from '../../../pages/bank/headers.ts';
import type { Demo, Deployment } from '../../deployment/deployment.ts';
import { profileStoreOf } from '../../tenants/profile-store.ts';
import { checkUrl, faultOfPage, jsonOf } from '../check-url.ts';
import type { Finding, Probe } from '../probe.ts';

/** The demo bank: its page with its headers, and its connection to the service. */
export const demoProbe: Probe = {
  name: 'demo bank',
  check: async (deployment) => {
    const demo = await deployment.demo();
    if (!demo) return [];
    const checks = [checkPage(demo, deployment), checkConfig(demo, deployment)];
    return [...(await Promise.all(checks)), ...warningOf(demo, deployment)];
  },
};

const connect = ({ stage, selector }: Deployment): string =>
  stage === 'local' ? 'Start the local stack again.' : `Connect it: npx omi demo connect ${selector}`;

const checkPage = async ({ url }: Demo, deployment: Deployment): Promise<Finding> =>
  await checkUrl(`${url}/`, {
    is: "serves the page with this version's security headers",
    fault: (response) => faultOfPage(response, siteHeaders, deployment.stage),
    fix: `If it is new: ${connect(deployment)} Otherwise deploy its stack again.`,
  });

const config = v.object({ baseUrl: v.string(), tenantId: v.string() });

const checkConfig = async ({ url }: Demo, deployment: Deployment): Promise<Finding> =>
  await checkUrl(`${url}/config.json`, {
    is: "is connected to the stack's API, as a tenant of its own",
    fault: async (response) => {
      const found = v.safeParse(config, await jsonOf(response));
      if (!found.success) return 'names no base URL';
      const { baseUrl, tenantId } = found.output;
      if (baseUrl !== deployment.baseUrl) return `names the base URL ${baseUrl}, not ${deployment.baseUrl}`;
      const tenant = await profileStoreOf(deployment).find(tenantId);
      if (!tenant || tenant.deletedAt !== undefined)
        return `is of the tenant ${tenantId}, which does not exist`;
      return tenant.suspendedAt === undefined
        ? undefined
        : `is of the tenant ${tenantId}, which is suspended`;
    },
    fix: connect(deployment),
  });

/** For strangers, it is the same as any other website. */
function warningOf({ url }: Demo, { stage }: Deployment): Finding[] {
  if (stage !== 'production') return [];
  return [
    {
      subject: url,
      ok: true,
      warning: true,
      detail: 'is beside real tenants: everyone who knows the address can sign in without a password',
      fix: `If nobody needs the demo bank any more: npx cdk destroy -c stage=${stage} -c demo=in-production omi-${stage}-demo`,
    },
  ];
}
