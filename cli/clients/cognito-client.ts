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
import type { Deployment } from '../deployment/deployment.ts';

/** Cognito puts the identifier of the resource server before each custom scope. */
export const resourceServer = 'omi';

export type Credentials = { clientId: string; clientSecret: string };

/** A client has two secrets during a rotation. */
export type SecretRef = { secretId: string; createdAt: number };

export type NewSecret = Pick<Credentials, 'clientSecret'> & Pick<SecretRef, 'secretId'>;

/** The scopes with Cognito's prefix. */
const ownScopes = (scopes: readonly string[]): string[] =>
  scopes.map((scope) => `${resourceServer}/${scope}`);

/** The clients of the Cognito user pool, which issues tokens for a client id and secret. */
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
   * Replaces the scopes of a client. Cognito resets every setting that an update leaves out, so the update repeats all of
   * them. The SDK sends only the members of an update, so it leaves out the secret and the times.
   *
   * @throws {CommandError} if the pool has no such client
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

  async exists(clientId: string): Promise<boolean> {
    const request = new DescribeUserPoolClientCommand({ ...this.#pool, ClientId: clientId });
    try {
      await this.#client.send(request);
      return true;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return false;
      throw error;
    }
  }

  /** Succeeds for a client that is already deleted. */
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
   * @throws {CommandError} if the pool has no such client
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

  /** @returns undefined if the pool has no such client */
  async secretIds(clientId: string): Promise<ReadonlySet<string> | undefined> {
    try {
      return new Set((await this.secrets(clientId)).map(({ secretId }) => secretId));
    } catch (error) {
      if (error instanceof CommandError) return undefined;
      throw error;
    }
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

  /** Adds a second secret. Cognito accepts both. */
  async addSecret(clientId: string): Promise<NewSecret> {
    const { ClientSecretDescriptor: { ClientSecretId = '', ClientSecretValue = '' } = {} } =
      await this.#client.send(new AddUserPoolClientSecretCommand({ ...this.#pool, ClientId: clientId }));
    return { secretId: ClientSecretId, clientSecret: ClientSecretValue };
  }

  async deleteSecret(clientId: string, { secretId }: Pick<SecretRef, 'secretId'>): Promise<void> {
    const request = { ...this.#pool, ClientId: clientId, ClientSecretId: secretId };
    await this.#client.send(new DeleteUserPoolClientSecretCommand(request));
  }
}

const notInPool = (clientId: string, cause: Error): CommandError =>
  new CommandError(
    `The user pool has no client ${clientId}: its secret is kept elsewhere, or the client was deleted.`,
    'Create another one with "omi client create", and delete this one with "omi client delete".',
    { cause },
  );

/** @throws {CommandError} if the clients belong to another issuer than Cognito */
export function cognitoClientOf({ clients, userPoolId, name }: Deployment): CognitoClient {
  if (userPoolId !== undefined) return new CognitoClient(clients.cognito, userPoolId);
  throw new CommandError(
    `${name} has no user pool: its tokens come from your own issuer.`,
    'Create the client and its secret there, then register its id: omi client create --client <id>',
  );
}
