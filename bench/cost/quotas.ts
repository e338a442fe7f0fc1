/** AWS's default quotas, and limits of our own, that a load meets. */
import { accountQuotas } from './account-quotas.ts';
import type { Assumptions } from './assumptions.ts';
import type { Region } from './prices.ts';
import type { Quota } from './quota.ts';
import { tenantQuotas } from './tenant-quotas.ts';

export const quotas = (region: Region, assumed: Assumptions): Quota[] => [
  ...accountQuotas(region, assumed),
  ...tenantQuotas(),
];
