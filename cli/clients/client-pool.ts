import {
  AddUserPoolClientSecretCommand,
  type ClientSecretDescriptorType,
  type CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  DeleteUserPoolClientCommand,
  DeleteUserPoolClientSecretCommand,
  ListUserPoolClientSecretsCommand,
  type ListUserPoolClientSecretsCommandOutput,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { Failure } from '../failure.ts';

/** What the pool's custom scopes begin with (contract part 2). */
export const resourceServer = 'omi';

export type Credentials = { clientId: string; clientSecret: string };

/** Of a client that has two while it moves from one to the other. */
export type SecretRef = { secretId: string; createdAt: number };

/** The clients of the Cognito user pool, which issues tokens to them for their secret alone. */
export class ClientPool {
  readonly #client: CognitoIdentityProviderClient;
  readonly #pool: { UserPoolId: string };

  constructor(client: CognitoIdentityProviderClient, userPoolId: string) {
    this.#client = client;
    this.#pool = { UserPoolId: userPoolId };
  }

  async create(name: string, scopes: readonly string[]): Promise<Credentials> {
    const { UserPoolClient: { ClientId = '', ClientSecret = '' } = {} } = await this.#client.send(
      new CreateUserPoolClientCommand({
        ...this.#pool,
        ClientName: name,
        GenerateSecret: true,
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['client_credentials'],
        AllowedOAuthScopes: scopes.map((scope) => `${resourceServer}/${scope}`),
      }),
    );
    return { clientId: ClientId, clientSecret: ClientSecret };
  }

  /** One that is gone is deleted. */
  async delete(clientId: string): Promise<void> {
    try {
      await this.#client.send(new DeleteUserPoolClientCommand({ ...this.#pool, ClientId: clientId }));
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
    }
  }

  /**
   * Oldest first.
   *
   * @throws {Failure} where the pool has no such client
   */
  async secrets(clientId: string): Promise<SecretRef[]> {
    const found: ClientSecretDescriptorType[] = [];
    let NextToken: string | undefined;
    do {
      const answer = await this.#listSecrets(clientId, NextToken);
      found.push(...(answer.ClientSecrets ?? []));
      NextToken = answer.NextToken;
    } while (NextToken !== undefined);
    return found
      .map(({ ClientSecretId = '', ClientSecretCreateDate }) => ({
        secretId: ClientSecretId,
        createdAt: ClientSecretCreateDate?.getTime() ?? 0,
      }))
      .sort((a, b) => a.createdAt - b.createdAt || a.secretId.localeCompare(b.secretId));
  }

  async #listSecrets(
    clientId: string,
    NextToken: string | undefined,
  ): Promise<ListUserPoolClientSecretsCommandOutput> {
    const request = { ...this.#pool, ClientId: clientId, ...(NextToken && { NextToken }) };
    try {
      return await this.#client.send(new ListUserPoolClientSecretsCommand(request));
    } catch (cause) {
      if (!(cause instanceof ResourceNotFoundException)) throw cause;
      throw new Failure(
        `The user pool has no client ${clientId}: its secret is not kept there, or somebody deleted it.`,
        'Make another one with "omi client create", and delete this one with "omi client delete".',
        { cause },
      );
    }
  }

  /** A second one beside the first: Cognito takes both. */
  async addSecret(clientId: string): Promise<string> {
    const { ClientSecretDescriptor } = await this.#client.send(
      new AddUserPoolClientSecretCommand({ ...this.#pool, ClientId: clientId }),
    );
    return ClientSecretDescriptor?.ClientSecretValue ?? '';
  }

  async deleteSecret(clientId: string, { secretId }: SecretRef): Promise<void> {
    const request = { ...this.#pool, ClientId: clientId, ClientSecretId: secretId };
    await this.#client.send(new DeleteUserPoolClientSecretCommand(request));
  }
}
