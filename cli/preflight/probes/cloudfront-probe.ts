import type { Finding, Probe } from '../../doctor/probe.ts';
import { distributionsIn } from '../distributions-client.ts';
import { type Planned, usesCloudFront } from '../planned.ts';

const subject = 'CloudFront';

/**
 * Whether this account may make distributions. AWS tells only at the first one: "Your account must be verified before you can
 * add new CloudFront resources". An account that has one is verified.
 */
export const cloudfrontProbe: Probe<Planned> = {
  name: 'cloudfront',
  check: async ({ config, account, clients }): Promise<Finding[]> => {
    if (!usesCloudFront(config)) return [];
    const found = await distributionsIn(clients().cloudfront);
    if (found.length > 0)
      return [{ subject, ok: true, detail: `the account has ${found.length} distributions` }];
    return [
      {
        subject,
        ok: true,
        warning: true,
        detail: 'the account has no distribution yet, and AWS lets only verified accounts make one',
        fix: supportCase(account),
      },
    ];
  },
};

/** The text to send to AWS Support. Nobody needs a support plan for a case about the account. */
const supportCase = (
  account: string,
): string => `If the account is new, open this case in AWS Support (Account and billing) and wait for its answer:

  Subject: Verify account ${account} for CloudFront
  We are about to create CloudFront distributions with CloudFormation in account ${account}.
  New accounts get "Your account must be verified before you can add new CloudFront resources".
  Please verify the account, so that it can create distributions.

  Without CloudFront, deploy the stage with "webApp": false, "exportsPage": false and "console": false.
`;
