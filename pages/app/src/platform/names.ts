import type { AccountNames } from '#device';
import type { Account } from './model.ts';

/** The service's names as the members of an account. */
export const namedBy = ({ tenant, account }: AccountNames): Pick<Account, 'tenantName' | 'label'> => ({
  tenantName: tenant,
  ...(account !== undefined && { label: account }),
});
