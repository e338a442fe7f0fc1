import { paginateListServiceQuotas } from '@aws-sdk/client-service-quotas';
import * as lambdas from '../../../lambdas/index.ts';
import type { Probe } from '../../doctor/probe.ts';
import type { Planned } from '../planned.ts';

/** https://docs.aws.amazon.com/codedeploy/latest/userguide/limits.html */
const quotaName = 'Concurrent deployments per account';

/** CodeDeploy moves the alias of each Lambda, and an upgrade may change all of them at once. */
export const codedeployProbe: Probe<Planned> = {
  name: 'codedeploy',
  check: async ({ clients }) => {
    const subject = 'concurrent deployments';
    const needed = Object.keys(lambdas).length;
    const { quotas: client } = clients();
    for await (const { Quotas = [] } of paginateListServiceQuotas(
      { client },
      { ServiceCode: 'codedeploy' },
    )) {
      const value = Quotas.find(({ QuotaName }) => QuotaName === quotaName)?.Value;
      if (value === undefined) continue;
      if (value >= needed) return [{ subject, ok: true, detail: `${value}` }];
      const fix = `Ask for ${needed} or more in Service Quotas: AWS CodeDeploy, "${quotaName}".`;
      return [{ subject, ok: false, detail: `${value}, ${needed} are needed`, fix }];
    }
    return [{ subject, ok: true, warning: true, detail: 'Service Quotas does not tell the quota' }];
  },
};
