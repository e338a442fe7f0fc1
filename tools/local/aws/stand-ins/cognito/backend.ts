import type { AwsResponse, Backend } from '../../endpoint/http.ts';
import { AwsServiceError, jsonError } from '../../protocols/errors.ts';
import { asArray, jsonResponse, type JsonObject, parseJson, strings } from '../../protocols/json.ts';
import type { AddedClient, ClientRegistry, Secret } from './client-registry.ts';

type CognitoOperation = (clients: ClientRegistry, input: JsonObject) => JsonObject;

/** Cognito's quota. */
const secretsOfAClient = 2;

const clientName = /^[\w\s+=,.@-]{1,128}$/;

/** Cognito prefixes custom scopes with their resource server; the local issuer does not. */
const resourceServer = /^omi\//;

const localScopes = (value: unknown): string[] =>
  strings(...asArray(value)).map((scope) => scope.replace(resourceServer, ''));

const operations: Readonly<Record<string, CognitoOperation>> = {
  CreateUserPoolClient: (clients, { ClientName, AllowedOAuthScopes }) => {
    const scopes = localScopes(AllowedOAuthScopes);
    if (!clientName.test(String(ClientName)))
      throw new AwsServiceError(
        400,
        'InvalidParameterException',
        "The value at 'clientName' is not allowed.",
      );
    const { clientId, name, secrets } = clients.add(String(ClientName), scopes);
    return { UserPoolClient: { ClientId: clientId, ClientName: name, ClientSecret: secrets[0]?.value } };
  },
  DescribeUserPoolClient: (clients, input) => {
    const { clientId, name, scopes, secrets } = clientOf(clients, input);
    return {
      UserPoolClient: {
        ClientId: clientId,
        ClientName: name,
        ClientSecret: secrets[0]?.value,
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['client_credentials'],
        AllowedOAuthScopes: scopes.map((scope) => `omi/${scope}`),
      },
    };
  },
  // As in Cognito, an update resets omitted members: without its flows a client gets no tokens.
  UpdateUserPoolClient: (clients, input) => {
    if ('ClientSecret' in input) throw new AwsServiceError(400, 'SerializationException', 'No such member');
    const client = clientOf(clients, input);
    const isWhole = input['AllowedOAuthFlowsUserPoolClient'] === true && input['ClientName'] === client.name;
    clients.setScopes(client, isWhole ? localScopes(input['AllowedOAuthScopes']) : []);
    return {};
  },
  DeleteUserPoolClient: (clients, input) => {
    clients.remove(clientOf(clients, input).clientId);
    return {};
  },
  ListUserPoolClientSecrets: (clients, input) => ({
    ClientSecrets: clientOf(clients, input).secrets.map(describe),
  }),
  AddUserPoolClientSecret: (clients, input) => {
    const client = clientOf(clients, input);
    if (client.secrets.length >= secretsOfAClient)
      throw new AwsServiceError(400, 'LimitExceededException', 'The client has as many secrets as it may.');
    const secret = clients.addSecret(client);
    return { ClientSecretDescriptor: { ...describe(secret), ClientSecretValue: secret.value } };
  },
  DeleteUserPoolClientSecret: (clients, input) => {
    const client = clientOf(clients, input);
    const others = client.secrets.filter(({ id }) => id !== input['ClientSecretId']);
    if (others.length === client.secrets.length) throw notFound('client secret');
    if (others.length === 0)
      throw new AwsServiceError(
        400,
        'InvalidParameterException',
        'The last secret of a client cannot be deleted.',
      );
    clients.removeSecret(client, String(input['ClientSecretId']));
    return {};
  },
};

/** The operations of Cognito user pools for app clients and their secrets. All pool ids mean the same pool. */
export const createCognito =
  (clients: ClientRegistry): Backend =>
  (request): AwsResponse => {
    const { operation, input } = parseJson(request);
    const run = operations[operation];
    try {
      if (!run) throw new AwsServiceError(400, 'InvalidAction', `Could not find operation ${operation}`);
      return jsonResponse(200, run(clients, input));
    } catch (error) {
      if (error instanceof AwsServiceError) return jsonError(error.error);
      throw error;
    }
  };

function clientOf(clients: ClientRegistry, { ClientId }: JsonObject): AddedClient {
  const client = clients.get(String(ClientId));
  if (client) return client;
  throw notFound('client');
}

const notFound = (what: string): AwsServiceError =>
  new AwsServiceError(400, 'ResourceNotFoundException', `The ${what} does not exist.`);

const describe = ({ id, createdAt }: Secret): JsonObject => ({
  ClientSecretId: id,
  ClientSecretCreateDate: createdAt / 1_000,
});
