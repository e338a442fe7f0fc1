import type { PublicJwk } from '../../core/access/public-jwk.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { fields, table } from '../text-table.ts';
import { thumbprintOf } from './jwks-file.ts';
import type { AddedClient } from './make-client.ts';
import { numberMatchingText } from './number-matching.ts';
import type { TenantClient } from './tenant-client.ts';

const keyView = (key: PublicJwk) => ({
  ...(key.kid !== undefined && { kid: key.kid }),
  alg: key.alg,
  thumbprint: thumbprintOf(key),
});

/** A client as JSON, never with a secret. */
export const clientView = (client: TenantClient) => {
  const { clientId, tenantId, name, scopes, numberMatching, returnOrigins, oauth, callback } = client;
  return {
    clientId,
    tenantId,
    ...(name !== undefined && { name }),
    ...(scopes && { scopes }),
    ...(numberMatching && { numberMatching }),
    ...(returnOrigins && { returnOrigins }),
    ...(oauth?.keys && { keys: oauth.keys.map(keyView) }),
    ...(oauth?.profile && { profile: oauth.profile }),
    ...(callback && { callbackUrl: callback.url }),
    ...(oauth?.notificationUrl !== undefined && { notificationUrl: oauth.notificationUrl }),
    ...(oauth?.resource !== undefined && { resource: oauth.resource }),
  };
};

/** How a client authenticates itself at the OpenID Connect endpoints, in the words of RFC 7591. */
export type Authentication = 'private_key_jwt' | 'client_secret' | 'none';

export function authenticationOf({ oauth }: TenantClient): Authentication {
  if (oauth?.keys) return 'private_key_jwt';
  return oauth && oauth.secrets.length > 0 ? 'client_secret' : 'none';
}

export const describeClients = (clients: readonly TenantClient[]): string =>
  clients.length === 0
    ? 'No clients.'
    : table(
        ['CLIENT', 'NAME', 'NUMBER MATCHING', 'AUTHENTICATION', 'CALLBACKS', 'SCOPES'],
        clients.map((client) => [
          client.clientId,
          client.name,
          numberMatchingText(client.numberMatching),
          authenticationOf(client),
          client.callback?.state ?? 'none',
          (client.scopes ?? []).join(' '),
        ]),
      );

type Made = Pick<AddedClient, 'callbackSecret'> & {
  client: TenantClient;
  clientSecret?: string;
  /** Where the secret is exchanged for access tokens of the API. */
  tokenUrl?: string | undefined;
};

/** Prints new secrets, which no command can show again. */
export function printSecrets(session: Session, { baseUrl }: Deployment, made: Made): void {
  const { client, clientSecret, callbackSecret, tokenUrl } = made;
  if (clientSecret !== undefined) session.note('Save the secret now. It cannot be shown again.');
  if (callbackSecret !== undefined)
    session.note('Save the secret of the callbacks now. It cannot be shown again.');
  session.print(
    {
      ...clientView(client),
      ...(clientSecret !== undefined && { clientSecret }),
      ...(callbackSecret !== undefined && { callbackSecret }),
      ...(tokenUrl !== undefined && { tokenUrl }),
      issuer: baseUrl,
    },
    fields({
      client: client.clientId,
      secret: clientSecret,
      'callback secret': callbackSecret,
      'token URL': tokenUrl,
      issuer: baseUrl,
    }),
  );
}
