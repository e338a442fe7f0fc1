import { fields, table } from '../text-table.ts';
import type { TenantClient } from './client-store.ts';
import type { Credentials } from './cognito-client.ts';

/** What scripts get of a client; never a secret. */
export const clientView = ({ clientId, tenantId, name, scopes }: TenantClient) => ({
  clientId,
  tenantId,
  ...(name !== undefined && { name }),
  ...(scopes && { scopes }),
});

export const describeClients = (clients: readonly TenantClient[]): string =>
  clients.length === 0
    ? 'No clients.'
    : table(
        ['CLIENT', 'NAME', 'SCOPES'],
        clients.map(({ clientId, name, scopes = [] }) => [clientId, name, scopes.join(' ')]),
      );

/** For the one time that a secret is shown. */
export const describeCredentials = (
  { clientId, clientSecret }: Credentials,
  tokenUrl: string | undefined,
): string => fields({ client: clientId, secret: clientSecret, 'token URL': tokenUrl });

export const shownOnce = 'Keep the secret now: it is not shown again.';
