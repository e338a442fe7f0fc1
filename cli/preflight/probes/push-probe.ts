import { ListPlatformApplicationsCommand } from '@aws-sdk/client-sns';
import { explainError } from '../../describe-error.ts';
import type { Probe } from '../../doctor/probe.ts';
import type { Planned } from '../planned.ts';

const regionsUrl = 'https://docs.aws.amazon.com/sns/latest/dg/sns-mobile-push-supported-regions.html';

/** Whether SNS has mobile push in the region. Web devices do without it. */
export const pushProbe: Probe<Planned> = {
  name: 'push',
  check: async ({ clients, region, config: { push } }) => {
    const subject = `mobile push in ${region}`;
    const isNeeded = Object.values(push).some((platform) => platform !== undefined);
    try {
      await clients().sns.send(new ListPlatformApplicationsCommand({}));
      return [{ subject, ok: true, detail: 'SNS has it' }];
    } catch (error) {
      const detail = `SNS refuses it: ${explainError(error).what}`;
      const fix = `Choose one of the regions of ${regionsUrl}, or let users confirm in the web app alone.`;
      return [{ subject, ok: !isNeeded, ...(!isNeeded && { warning: true }), detail, fix }];
    }
  },
};
