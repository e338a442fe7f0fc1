import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AddUserPoolClientSecretCommand,
  CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  DeleteUserPoolClientCommand,
  DeleteUserPoolClientSecretCommand,
  ListUserPoolClientSecretsCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type ClientRegistry,
  openClientRegistry,
} from '../../../../../tools/local/aws/stand-ins/cognito/client-registry.ts';
import { withCognito } from '../../../../../tools/local/aws/stand-ins/cognito/listener.ts';
import { type LoopbackServer, serveLoopback } from '../../../../../tools/local/server/loopback-server.ts';

const pool = { UserPoolId: 'local_pool' };

let folder: string;
let registry: ClientRegistry;
let server: LoopbackServer;
let client: CognitoIdentityProviderClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-cognito-'));
  registry = openClientRegistry(join(folder, 'clients.json'));
  server = await serveLoopback(
    withCognito(
      registry,
      (_, response) => response.end('the issuer'),
      () => undefined,
    ),
  );
  const credentials = { accessKeyId: 'TEST', secretAccessKey: 'any' };
  client = new CognitoIdentityProviderClient({ region: 'eu-central-1', endpoint: server.url, credentials });
});

afterAll(async () => {
  client.destroy();
  await server.close();
  await registry.flush();
  await rm(folder, { recursive: true });
});

async function create(): Promise<{ ClientId: string; ClientSecret: string }> {
  const { UserPoolClient: { ClientId = '', ClientSecret = '' } = {} } = await client.send(
    new CreateUserPoolClientCommand({ ...pool, ClientName: 'website', AllowedOAuthScopes: ['omi/a:b', 'c'] }),
  );
  return { ClientId, ClientSecret };
}

const refusal = (name: string): unknown => expect.objectContaining({ name });

describe('the stand-in for Cognito', () => {
  test('keeps clients with their scopes in the data folder', async () => {
    const { ClientId, ClientSecret } = await create();
    const kept = await reopened(ClientId);
    expect(kept).toMatchObject({ scopes: ['a:b', 'c'], secrets: [{ value: ClientSecret }] });
  });

  test('allows a client one or two secrets', async () => {
    const { ClientId } = await create();
    const add = async () => await client.send(new AddUserPoolClientSecretCommand({ ...pool, ClientId }));
    const { ClientSecretDescriptor } = await add();
    await expect(add()).rejects.toEqual(refusal('LimitExceededException'));
    const { ClientSecrets = [] } = await client.send(
      new ListUserPoolClientSecretsCommand({ ...pool, ClientId }),
    );
    expect(ClientSecrets).toHaveLength(2);
    expect(ClientSecrets.map(({ ClientSecretValue }) => ClientSecretValue)).toEqual([undefined, undefined]);
    const remove = async (ClientSecretId = '') =>
      await client.send(new DeleteUserPoolClientSecretCommand({ ...pool, ClientId, ClientSecretId }));
    await remove(ClientSecrets[0]?.ClientSecretId);
    await expect(remove(ClientSecretDescriptor?.ClientSecretId)).rejects.toEqual(
      refusal('InvalidParameterException'),
    );
  });

  test('does not know a deleted client', async () => {
    const { ClientId } = await create();
    const remove = async () => await client.send(new DeleteUserPoolClientCommand({ ...pool, ClientId }));
    await remove();
    await expect(remove()).rejects.toEqual(refusal('ResourceNotFoundException'));
  });

  test('forwards other requests to the issuer', async () => {
    expect(await (await fetch(server.url)).text()).toBe('the issuer');
  });

  test('rejects names that Cognito rejects', async () => {
    const named = new CreateUserPoolClientCommand({ ...pool, ClientName: 'Bank & Söhne' });
    await expect(client.send(named)).rejects.toEqual(refusal('InvalidParameterException'));
  });
});

/** What another start on the same folder finds. */
async function reopened(clientId: string) {
  await registry.flush();
  return openClientRegistry(join(folder, 'clients.json')).get(clientId);
}
