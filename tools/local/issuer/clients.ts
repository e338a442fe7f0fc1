import type { ClientMetadata, Configuration, Provider } from 'oidc-provider';
import type { AddedClient, ClientRegistry } from '../aws/stand-ins/cognito/client-registry.ts';

type Added = Pick<ClientRegistry, 'get'> | undefined;

/** The library's metadata of a client for the client credentials grant. */
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

/** Tokens are signed and not stored, so only added clients can be found. */
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

/** A client may have two secrets during a rotation; the library supports one. */
export function acceptEverySecret(provider: Provider, added: Added): void {
  const { prototype } = provider.Client;
  const compare = prototype.compareClientSecret;
  prototype.compareClientSecret = function (actual) {
    const client = added?.get(this.clientId);
    return client ? client.secrets.some(({ value }) => value === actual) : compare.call(this, actual);
  };
}
