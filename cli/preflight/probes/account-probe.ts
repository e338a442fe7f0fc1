import type { Probe } from '../../doctor/probe.ts';
import type { Planned } from '../planned.ts';

/** The account and the region that `cdk deploy` would hit with these credentials. */
export const accountProbe: Probe<Planned> = {
  name: 'account',
  check: async ({ account, region, config: { env } }) => {
    const named = env.account ?? account;
    return await Promise.resolve([
      named === account
        ? { subject: account, ok: true, detail: `cdk deploys to it, in ${region}` }
        : {
            subject: account,
            ok: false,
            detail: `the stage belongs to the account ${named}`,
            fix: `Use credentials of ${named}, for example by AWS_PROFILE, or correct "env" in the settings of the stage.`,
          },
    ]);
  },
};
