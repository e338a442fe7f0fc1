import { randomUUID } from 'node:crypto';
import { isClientSecret } from '../access/client-secret.ts';
import type { BaseUrls } from '../kernel/base-urls.ts';
import type { RegisteredClient } from '../access/registered-client.ts';
import type { RegisteredClientStore } from '../access/registered-client-store.ts';
import { type ClientAssertion, verifyAssertion } from './client-assertion.ts';
import type { ClientCredentials } from './client-credentials.ts';
import { endpointsOf } from './endpoints.ts';
import { invalidClient, notAuthenticated, OAuthError } from './oauth-error.ts';
import type { UsedAssertionStore } from './used-assertion-store.ts';

export type AuthenticationDeps = {
  clients: RegisteredClientStore;
  usedAssertions: UsedAssertionStore;
  /** Those that an assertion may name. */
  issuers: BaseUrls;
};

/** Without it a client may not ask users. It is the scope of `POST /omi/push/user/{userId}`. */
const requiredScope = 'credential:omi:push-notification:post';

/**
 * Until the credentials are verified, answer and work are the same for every client id: a stranger does not learn whether there
 * is such a client, or what it registered.
 *
 * @throws {OAuthError} `invalid_client` or `unauthorized_client`
 */
export async function authenticateClient(
  deps: AuthenticationDeps,
  credentials: ClientCredentials,
  now: number,
): Promise<RegisteredClient> {
  const client = await deps.clients.find(credentials.clientId);
  if ('assertion' in credentials) await verifyOnce(deps, credentials, client, now);
  else verifySecret(credentials.secret, client);
  if (!client) throw notAuthenticated();
  if (client.suspendedAt !== undefined) throw invalidClient('The tenant of the client is suspended.');
  if (client.scopes.includes(requiredScope)) return client;
  throw new OAuthError('unauthorized_client', `The client needs the scope ${requiredScope}.`);
}

/** A client with keys has no other method. */
function verifySecret(secret: string, client: RegisteredClient | undefined): void {
  if (!isClientSecret(secret, client?.secretHashes ?? []) || client?.keys) throw notAuthenticated();
}

async function verifyOnce(
  { usedAssertions, issuers }: AuthenticationDeps,
  assertion: ClientAssertion,
  client: RegisteredClient | undefined,
  now: number,
): Promise<void> {
  const endpoints = issuers.flatMap((issuer) => {
    const { token, backchannelAuthentication } = endpointsOf(issuer);
    return [token, backchannelAuthentication];
  });
  const { keys = [], profile } = client ?? {};
  // FAPI: the issuer alone, so that an assertion cannot be meant for two services that share an endpoint's URL.
  const audiences = profile === 'fapi' ? issuers : [...issuers, ...endpoints];
  const verified = await verifyAssertion(assertion, { keys, audiences, now });
  if (await usedAssertions.use(verified, randomUUID())) return;
  throw invalidClient('The client_assertion was used before: make another one, with its own jti.');
}
