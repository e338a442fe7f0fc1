import type { AwsCredentialIdentity } from '@smithy/types';
import { type AssumedRoleClient, keyOf, type TenantRole } from './assumed-role-client.ts';
import { hasStaleCredentials, isDenied } from './role-faults.ts';

/** One Lambda rarely serves more tenants. The oldest client is dropped first. */
const keptClients = 500;

export type Credentials = Pick<AssumedRoleClient, 'of' | 'has' | 'forget'>;

type Settings = { region: string; credentials: () => Promise<AwsCredentialIdentity> };

/** Clients of a service of AWS, each with the role of a tenant, in the region of what the role is for. */
export class RoleClients<Client> {
  readonly #credentials: Credentials;
  readonly #make: (settings: Settings) => Client;
  readonly #clients = new Map<string, Client>();

  constructor(credentials: Credentials, make: (settings: Settings) => Client) {
    this.#credentials = credentials;
    this.#make = make;
  }

  /**
   * A refusal counts only with a session that was just opened: if the tenant deleted and recreated the role, older sessions
   * are refused until they end.
   */
  async call<T>(role: TenantRole, work: (client: Client) => Promise<T>): Promise<T> {
    const isKept = this.#clients.has(keyOf(role)) || this.#credentials.has(role);
    try {
      return await work(this.#clientFor(role));
    } catch (error) {
      const denied = isDenied(error);
      if (denied || hasStaleCredentials(error)) this.#forget(role);
      if (!denied || !isKept) throw error;
      return await work(this.#clientFor(role));
    }
  }

  #clientFor(role: TenantRole): Client {
    const key = keyOf(role);
    const known = this.#clients.get(key);
    if (known) return known;
    const [, , , region = ''] = role.resourceArn.split(':');
    const client = this.#make({ region, credentials: async () => await this.#credentials.of(role) });
    this.#clients.set(key, client);
    for (const oldest of this.#clients.keys()) {
      if (this.#clients.size <= keptClients) break;
      this.#clients.delete(oldest);
    }
    return client;
  }

  /** The client keeps its own copy of the credentials, so it is dropped with them. */
  #forget(role: TenantRole): void {
    this.#credentials.forget(role);
    this.#clients.delete(keyOf(role));
  }
}
