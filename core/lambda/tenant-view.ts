import { exportView, type ExportView } from '../export/targets/export-view.ts';
import type { Target } from '../export/targets/target.ts';
import { policyToPaste, type PolicyToPaste } from '../export/kinds/policies/policy-to-paste.ts';
import { stage } from '../kernel/observability.ts';
import type { TenantViewEnvironment } from './export-environment.ts';

/** A target as its tenant sees it, with the policy that the tenant must correct. */
export type ViewForTenant = (target: Target, now: number) => ExportView<PolicyToPaste>;

export const viewForTenant = ({
  OPERATOR_ACCOUNT: account,
  OPERATOR_PARTITION: partition,
  OPERATOR_REGION: region,
}: Pick<
  TenantViewEnvironment,
  'OPERATOR_ACCOUNT' | 'OPERATOR_PARTITION' | 'OPERATOR_REGION'
>): ViewForTenant => {
  const operator = { stage, region, account, partition };
  return (target, now) => exportView(target, now, policyToPaste(target, operator));
};
