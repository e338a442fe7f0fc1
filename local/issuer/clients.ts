import type { ClientMetadata, Configuration, Provider } from 'oidc-provider';
import type { AddedClient, ClientRegistry } from '../aws/stand-ins/cognito/client-registry.ts';

type Added = Pick<ClientRegistry, 'get'> | undefined;

/** A client for the client credentials grant, as the library is told of it. */
export const metadataOf = (
  clientId: string,
  clientSecret: string,
  scopes: readonly string[],
): ClientMetadata => ({
  client_id: clientId,
  client_secret: clientSecret,
  scope: scopes.join(' '),
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
});

const addedMetadata = ({ clientId, scopes, secrets }: AddedClient): ClientMetadata =>
  metadataOf(clientId, secrets.at(-1)?.value ?? '', scopes);

/** Signed tokens: there is nothing to keep, and nothing to find but the clients that were added. */
export const storageOf = (added: Added): Configuration['adapter'] =>
  class {
    readonly #model: string;

    constructor(model: string) {
      this.#model = model;
    }

    find(id: string): ClientMetadata | undefined {
      const client = this.#model === 'Client' ? added?.get(id) : undefined;
      return client && addedMetadata(client);
    }
  };

/** A client that moves from one secret to the next has two; the library knows of one. */
export function acceptEverySecret(provider: Provider, added: Added): void {
  const { prototype } = provider.Client;
  const compare = prototype.compareClientSecret;
  prototype.compareClientSecret = function (actual) {
    const client = added?.get(this.clientId);
    return client ? client.secrets.some(({ value }) => value === actual) : compare.call(this, actual);
  };
}
