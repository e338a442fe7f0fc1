import {
  AddUserPoolClientSecretCommand,
  type ClientSecretDescriptorType,
  type CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  DeleteUserPoolClientCommand,
  DeleteUserPoolClientSecretCommand,
  DescribeUserPoolClientCommand,
  ListUserPoolClientSecretsCommand,
  type ListUserPoolClientSecretsCommandOutput,
  ResourceNotFoundException,
  UpdateUserPoolClientCommand,
  type UserPoolClientType,
} from '@aws-sdk/client-cognito-identity-provider';
import { CommandError } from '../command-error.ts';

/** What the pool's custom scopes begin with (contract part 2). */
export const resourceServer = 'omi';

export type Credentials = { clientId: string; clientSecret: string };

/** Of a client that has two while it moves from one to the other. */
export type SecretRef = { secretId: string; createdAt: number };

/** What custom scopes are called at Cognito. */
const ownScopes = (scopes: readonly string[]): string[] =>
  scopes.map((scope) => `${resourceServer}/${scope}`);

/** The clients of the Cognito user pool, which issues tokens to them for their secret alone. */
export class CognitoClient {
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
        AllowedOAuthScopes: ownScopes(scopes),
      }),
    );
    return { clientId: ClientId, clientSecret: ClientSecret };
  }

  /**
   * Replaces the scopes of a client. Cognito resets every setting that an update leaves out, so the update repeats all. The
   * SDK sends only what an update knows, so neither the secret nor the times go with it.
   *
   * @throws {CommandError} where the pool has no such client
   */
  async setScopes(clientId: string, scopes: readonly string[]): Promise<void> {
    const AllowedOAuthScopes = ownScopes(scopes);
    const settings = await this.#describe(clientId);
    const update = { ...settings, ...this.#pool, ClientId: clientId, AllowedOAuthScopes };
    await this.#client.send(new UpdateUserPoolClientCommand(update));
  }

  async #describe(clientId: string): Promise<UserPoolClientType> {
    const request = { ...this.#pool, ClientId: clientId };
    try {
      const { UserPoolClient = {} } = await this.#client.send(new DescribeUserPoolClientCommand(request));
      return UserPoolClient;
    } catch (cause) {
      throw cause instanceof ResourceNotFoundException ? notInPool(clientId, cause) : cause;
    }
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
   * @throws {CommandError} where the pool has no such client
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
      throw cause instanceof ResourceNotFoundException ? notInPool(clientId, cause) : cause;
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

const notInPool = (clientId: string, cause: Error): CommandError =>
  new CommandError(
    `The user pool has no client ${clientId}: its secret is not kept there, or somebody deleted it.`,
    'Make another one with "omi client create", and delete this one with "omi client delete".',
    { cause },
  );
