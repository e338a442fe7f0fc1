import type { Account } from '../platform/index.ts';
import { ForeignText } from '#ui/foreign-text.tsx';

/** Whose account it is, for people: the tenant, and the label that its website gave the account. */
export const AccountName = ({
  account: { tenantName, label },
}: {
  account: Pick<Account, 'tenantName' | 'label'>;
}) => (
  <>
    <ForeignText text={tenantName} />
    {label !== undefined && (
      <>
        {' · '}
        <ForeignText text={label} />
      </>
    )}
  </>
);

/** The same as one text, for labels that no eye sees. */
export const accountText = ({ tenantName, label }: Pick<Account, 'tenantName' | 'label'>): string =>
  label === undefined ? tenantName : `${tenantName} · ${label}`;
