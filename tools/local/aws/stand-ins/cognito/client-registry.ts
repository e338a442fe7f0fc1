import { randomBytes } from 'node:crypto';
import { type JsonFile, openJsonFile } from '../../json-file.ts';

export type Secret = { id: string; value: string; createdAt: number };

/** A client that an operator created. */
export type AddedClient = { clientId: string; name: string; scopes: string[]; secrets: Secret[] };

/** The clients that operators created, for Cognito's API and the token issuer. */
export type ClientRegistry = {
  add(name: string, scopes: string[]): AddedClient;
  get(clientId: string): AddedClient | undefined;
  /** Adds a secret. All secrets of a client are valid. */
  addSecret(client: AddedClient): Secret;
  removeSecret(client: AddedClient, secretId: string): void;
  setScopes(client: AddedClient, scopes: string[]): void;
  remove(clientId: string): void;
  flush: () => Promise<void>;
};

function newSecret(clientId: string, others: Secret[] = []): Secret {
  // Ids contain this time, so it is unique within a client.
  const createdAt = Math.max(Date.now(), ...others.map((other) => other.createdAt + 1));
  return { id: `${clientId}--${createdAt}`, value: randomBytes(32).toString('hex'), createdAt };
}

export function openClientRegistry(stateFile?: string): ClientRegistry {
  const clients = new Map<string, AddedClient>();
  const file: JsonFile<AddedClient[]> = openJsonFile<AddedClient[]>(stateFile, () => [...clients.values()]);
  for (const client of file.saved ?? []) clients.set(client.clientId, client);
  const put = (client: AddedClient): void => {
    clients.set(client.clientId, client);
    file.changed();
  };
  return {
    add: (name, scopes) => {
      const clientId = randomBytes(13).toString('hex');
      const client = { clientId, name, scopes, secrets: [newSecret(clientId)] };
      put(client);
      return client;
    },
    get: (clientId) => clients.get(clientId),
    addSecret: (client) => {
      const secret = newSecret(client.clientId, client.secrets);
      put({ ...client, secrets: [...client.secrets, secret] });
      return secret;
    },
    removeSecret: (client, secretId) =>
      put({ ...client, secrets: client.secrets.filter(({ id }) => id !== secretId) }),
    setScopes: (client, scopes) => put({ ...client, scopes }),
    remove: (clientId) => {
      clients.delete(clientId);
      file.changed();
    },
    flush: () => file.flush(),
  };
}
