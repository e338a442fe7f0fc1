/** An OAuth client by hand, which can misbehave; and clients of a running stack, as their operator registers them. */
import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { transact } from '../../../core/aws/dynamodb-client.ts';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import { secretHashOf } from '../../../core/access/client-secret.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { accessAs } from '../../../tools/local/seed/aws-access.ts';
import type { TestStack } from '../../support/stack.ts';

export const grantType = 'urn:openid:params:grant-type:ciba';
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const scope = 'credential:omi:push-notification:post';

export type OAuthAnswer = { status: number; headers: Headers; body: Record<string, unknown> };
export type Parameters = Record<string, string> | [string, string][];

export async function postForm(
  stack: TestStack,
  path: string,
  parameters: Parameters,
  headers: Record<string, string> = {},
): Promise<OAuthAnswer> {
  const body = Buffer.from(new URLSearchParams(parameters).toString());
  return await post(stack, path, body, { 'content-type': 'application/x-www-form-urlencoded', ...headers });
}

export async function post(
  stack: TestStack,
  path: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<OAuthAnswer> {
  const response = await fetch(`${stack.file.baseUrl}${path}`, { method: 'POST', headers, body });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** How a client proves who it is: parameters or headers of one request. */
export type Credentials = { parameters?: Record<string, string>; headers?: Record<string, string> };

export class OAuthClient {
  readonly stack: TestStack;
  readonly clientId: string;
  readonly #credentials: () => Promise<Credentials>;

  constructor(stack: TestStack, clientId: string, credentials: () => Promise<Credentials>) {
    this.stack = stack;
    this.clientId = clientId;
    this.#credentials = credentials;
  }

  async authorize(parameters: Record<string, string>): Promise<OAuthAnswer> {
    return await this.#post('/bc-authorize', { scope: 'openid', ...parameters });
  }

  /** @returns the answer, which must be a success */
  async start(userId: string, parameters: Record<string, string> = {}): Promise<Started> {
    const { status, body } = await this.authorize({ login_hint: userId, ...parameters });
    if (status !== 200) throw new Error(`The request was refused: ${JSON.stringify(body)}`);
    return body as Started;
  }

  async poll(authReqId: string): Promise<OAuthAnswer> {
    return await this.#post('/oauth/token', { grant_type: grantType, auth_req_id: authReqId });
  }

  async #post(path: string, own: Record<string, string>): Promise<OAuthAnswer> {
    const { parameters, headers } = await this.#credentials();
    return await postForm(this.stack, path, { ...parameters, ...own }, headers);
  }
}

export type Started = { auth_req_id: string; expires_in: number; interval: number; match_code?: string };

/** The demo tenant's client, which has every scope. */
export const demoClient = (stack: TestStack): OAuthClient => withSecret(stack, stack.file.tenants[0]);

export const withSecret = (
  stack: TestStack,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): OAuthClient =>
  new OAuthClient(
    stack,
    clientId,
    async () => await Promise.resolve({ parameters: { client_id: clientId, client_secret: clientSecret } }),
  );

type Algorithm = 'ES256' | 'RS256';
export type ClientKeys = { alg: Algorithm; privateKey: CryptoKey; publicJwk: Record<string, unknown> };

export async function newClientKeys(alg: Algorithm = 'ES256'): Promise<ClientKeys> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), alg, kid: randomUUID() } };
}

export type Assertion = { header?: Record<string, unknown>; claims?: Record<string, unknown> };

/** A client assertion. Members replace the correct ones; `undefined` removes one. */
export async function signAssertion(
  stack: TestStack,
  clientId: string,
  { alg, privateKey, publicJwk }: ClientKeys,
  { header, claims }: Assertion = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    ...{ iss: clientId, sub: clientId, aud: stack.file.baseUrl, jti: randomUUID(), exp: now + 60 },
    ...claims,
  };
  return await new SignJWT(payload)
    .setProtectedHeader({ alg, kid: String(publicJwk['kid']), ...header })
    .sign(privateKey);
}

const withKeys = (stack: TestStack, clientId: string, keys: ClientKeys): OAuthClient =>
  new OAuthClient(stack, clientId, async () => ({
    parameters: {
      client_assertion_type: assertionType,
      client_assertion: await signAssertion(stack, clientId, keys),
    },
  }));

export type Registration = {
  keys?: readonly ClientKeys[];
  secrets?: readonly string[];
  scopes?: readonly string[];
  resource?: string;
  notificationUrl?: string;
  profile?: 'fapi';
  settings?: Partial<TenantSettings>;
  /** Default: the demo tenant's. */
  tenantId?: string;
};

/** Registers clients in the tenants table of a running stack. */
export class ClientRegister {
  readonly #stack: TestStack;
  #opened: DynamoDBDocumentClient | undefined;

  constructor(stack: TestStack) {
    this.#stack = stack;
  }

  /** @returns the id of a new client */
  async add({ keys, secrets, settings, tenantId, ...oauth }: Registration): Promise<string> {
    const clientId = `client-${randomUUID()}`;
    const owner = tenantId ?? this.#stack.file.tenants[0].tenantId;
    await this.#put({
      ...tenantKeys.client(clientId),
      ...{ clientId, tenantId: owner, tenantName: 'Demo', name: 'CIBA client' },
      settings: { ...defaultSettings, ...settings },
    });
    await this.#put({
      ...tenantKeys.clientOauth(clientId),
      ...{ clientId, tenantId: owner, scopes: [scope], ...oauth },
      ...(keys && { keys: keys.map(({ publicJwk }) => publicJwk) }),
      ...(secrets && {
        secrets: secrets.map((secret, id) => ({ id: String(id), hash: secretHashOf(secret) })),
      }),
    });
    return clientId;
  }

  /** A client that is pinged. */
  async withPings(notificationUrl: string): Promise<OAuthClient> {
    const client = await this.withKeys({ notificationUrl });
    const receivers = new CallbackStore(this.#client, localTables.tenants);
    const { tenantId } = this.#stack.file.tenants[0];
    const { clientId } = client;
    const write = receivers.registration('ping', { clientId, tenantId, url: notificationUrl }, Date.now());
    await transact(this.#client, [write]);
    return client;
  }

  /** A client that signs its assertions. */
  async withKeys(registration: Registration = {}): Promise<OAuthClient> {
    const keys = await newClientKeys();
    return withKeys(this.#stack, await this.add({ ...registration, keys: [keys] }), keys);
  }

  /** As the suspension of its tenant does. */
  async suspend(clientId: string): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: localTables.tenants,
        Key: tenantKeys.client(clientId),
        UpdateExpression: 'SET suspendedAt = :now',
        ExpressionAttributeValues: { ':now': Date.now() },
      }),
    );
  }

  async #put(Item: Record<string, unknown>): Promise<void> {
    await this.#client.send(new PutCommand({ TableName: localTables.tenants, Item }));
  }

  get #client(): DynamoDBDocumentClient {
    this.#opened ??= DynamoDBDocumentClient.from(
      new DynamoDBClient(accessAs('OPERATOR', this.#stack.file.aws, 'dynamodb')),
    );
    return this.#opened;
  }
}

export function expectOAuthError(answer: OAuthAnswer, error: string, status = 400): OAuthAnswer {
  const { body, headers } = answer;
  if (answer.status !== status || body['error'] !== error)
    throw new Error(
      `Expected ${status} ${error}, but the answer is ${answer.status} ${JSON.stringify(body)}`,
    );
  const isWellFormed =
    Object.keys(body).length === 2 &&
    // RFC 6749, section 5.2.
    /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(String(body['error_description'])) &&
    headers.get('cache-control') === 'no-store' &&
    headers.get('content-type') === 'application/json';
  if (isWellFormed) return answer;
  throw new Error(`The error has another form: ${JSON.stringify(body)}`);
}
