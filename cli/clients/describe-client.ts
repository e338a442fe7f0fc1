import type { Session } from '../session.ts';
import { fields, table } from '../text-table.ts';
import type { TenantClient } from './client-store.ts';
import type { Credentials } from './cognito-client.ts';
import { numberMatchingText } from './number-matching.ts';

/** A client as JSON, never with its secret. */
export const clientView = ({ clientId, tenantId, name, scopes, numberMatching }: TenantClient) => ({
  clientId,
  tenantId,
  ...(name !== undefined && { name }),
  ...(scopes && { scopes }),
  ...(numberMatching && { numberMatching }),
});

export const describeClients = (clients: readonly TenantClient[]): string =>
  clients.length === 0
    ? 'No clients.'
    : table(
        ['CLIENT', 'NAME', 'NUMBER MATCHING', 'SCOPES'],
        clients.map(({ clientId, name, numberMatching, scopes = [] }) => [
          clientId,
          name,
          numberMatchingText(numberMatching),
          scopes.join(' '),
        ]),
      );

/** Prints a new secret, which no command can show again. */
export function printCredentials(
  session: Session,
  client: TenantClient,
  { clientSecret, tokenUrl }: Pick<Credentials, 'clientSecret'> & { tokenUrl: string | undefined },
): void {
  session.note('Save the secret now. It cannot be shown again.');
  session.print(
    { ...clientView(client), clientSecret, tokenUrl },
    fields({ client: client.clientId, secret: clientSecret, 'token URL': tokenUrl }),
  );
}
