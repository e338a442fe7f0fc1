import { DeleteCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import {
  type Authorizer,
  claimsOf,
  coldAuthorizer,
  demo,
  neighbour,
  oidc,
  tenantsTable,
  tenantDatabase,
} from '../../support/authorizer.ts';
import { type Claims, sign, type SigningKey, signingKey, TestIssuer } from '../../support/token-issuer.ts';

const tenantClaim = 'https://omi.example.com/tenant';

let issuer: TestIssuer;
let key: SigningKey;
let database: DynamoDBDocumentClient;
let byClient: Authorizer;
let byClaim: Authorizer;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  key = await signingKey();
  issuer.keys = [key.jwk];
  database = await tenantDatabase();
  byClient = coldAuthorizer(oidc(issuer.url), database);
  byClaim = coldAuthorizer(oidc(issuer.url, { tenantClaim }), database);
});

afterAll(async () => await issuer.close());

const token = async (changes: Claims) => await sign(key, claimsOf(issuer.url, changes));
const put = async (item: Claims) =>
  await database.send(new PutCommand({ TableName: tenantsTable, Item: item }));

describe('the requester', () => {
  const callerOf = async (item: Claims) => {
    await put({
      ...tenantKeys.client('named'),
      clientId: 'named',
      tenantId: demo.tenantId,
      tenantName: 'Demo',
      settings: {},
      ...item,
    });
    return (await byClient.withToken(await token({ client_id: 'named' }))).caller;
  };

  test('consists of tenant and client by their registered names', async () => {
    expect(await callerOf({ tenantName: 'Bank of Zürich', name: 'payments' })).toMatchObject({
      requester: { tenant: 'Bank of Zürich', client: 'payments' },
    });
  });

  test("has the client's id if the client has no name", async () => {
    expect(await callerOf({ tenantName: 'Bank' })).toMatchObject({
      requester: { tenant: 'Bank', client: 'named' },
    });
  });
});

describe('the tenant of a call', () => {
  test.each([demo, neighbour])('is that of the client $clientId', async ({ clientId, tenantId }) => {
    expect(await byClient.withToken(await token({ client_id: clientId }))).toMatchObject({
      status: 200,
      caller: { clientId, tenantId, settings: { maxDevices: tenantId === demo.tenantId ? 5 : 9 } },
    });
  });

  test('does not depend on the tenant in the token', async () => {
    const claims = {
      tenantId: neighbour.tenantId,
      tid: neighbour.tenantId,
      [tenantClaim]: neighbour.tenantId,
    };

    expect(await byClient.withToken(await token(claims))).toMatchObject({
      caller: { tenantId: demo.tenantId },
    });
  });

  test('follows from the client in `azp` if there is no `client_id`', async () => {
    expect(
      await byClient.withToken(await token({ client_id: undefined, azp: neighbour.clientId })),
    ).toMatchObject({
      status: 200,
      caller: neighbour,
    });
  });

  test('follows from `client_id` before `azp`', async () => {
    expect(await byClient.withToken(await token({ azp: neighbour.clientId }))).toMatchObject({
      status: 200,
      caller: demo,
    });
  });
});

test.each(['off', 'type'] as const)("a client's number matching overrides its tenant's: %s", async (own) => {
  const item = {
    clientId: 'own',
    tenantId: demo.tenantId,
    tenantName: 'Demo',
    settings: { numberMatching: 'pick', maxDevices: 5 },
  };
  await put({ ...tenantKeys.client('own'), ...item, numberMatching: own });

  expect(await byClient.withToken(await token({ client_id: 'own' }))).toMatchObject({
    status: 200,
    caller: { settings: { numberMatching: own, maxDevices: 5 } },
  });
});

test.each([true, undefined])(
  'the caller states whether the client has a callback URL: %s',
  async (callback) => {
    const item = { clientId: 'called', tenantId: demo.tenantId, tenantName: 'Demo', settings: {} };
    await put({ ...tenantKeys.client('called'), ...item, ...(callback && { callback }) });

    const { caller } = await byClient.withToken(await token({ client_id: 'called' }));
    expect(caller?.callback).toBe(callback);
  },
);

test('a client with keys cannot use access tokens, only the OpenID Connect endpoints', async () => {
  const item = {
    clientId: 'keyed',
    tenantId: demo.tenantId,
    tenantName: 'Demo',
    settings: {},
    hasKeys: true,
  };
  await put({ ...tenantKeys.client('keyed'), ...item });

  expect(await byClient.withToken(await token({ client_id: 'keyed' }))).toEqual({
    status: 401,
    reason: 'client-with-keys',
  });
});

describe('an unknown client', () => {
  test.each([
    'stranger',
    'DEMO-CLIENT',
    'demo-client ',
    'client#demo-client',
    demo.tenantId,
    'x'.repeat(5000),
  ])('is rejected: %.20s', async (clientId) => {
    expect(await byClient.withToken(await token({ client_id: clientId }))).toEqual({
      status: 401,
      reason: 'unknown-client',
    });
  });

  test('is rejected even without the scope', async () => {
    expect(await byClient.withToken(await token({ client_id: 'stranger', scope: '' }))).toMatchObject({
      status: 401,
    });
  });

  test.each([undefined, '', null, 7, ['demo-client'], { id: 'demo-client' }])(
    'is rejected if the token names none: %j',
    async (clientId) => {
      expect(await byClient.withToken(await token({ client_id: clientId, sub: demo.clientId }))).toEqual({
        status: 401,
        reason: 'no-client',
      });
    },
  );

  test('includes a client that was removed, from the next call on', async () => {
    const client_id = 'short-lived';
    await put({
      ...tenantKeys.client(client_id),
      clientId: client_id,
      tenantId: demo.tenantId,
      tenantName: 'Demo',
      settings: {},
    });
    expect(await byClient.withToken(await token({ client_id }))).toMatchObject({ status: 200 });

    await database.send(new DeleteCommand({ TableName: tenantsTable, Key: tenantKeys.client(client_id) }));

    expect(await byClient.withToken(await token({ client_id }))).toEqual({
      status: 401,
      reason: 'unknown-client',
    });
  });
});

describe('a suspended tenant', () => {
  test('has no client with access, with or without a claim', async () => {
    const client_id = 'shut-out';
    const item = {
      ...tenantKeys.client(client_id),
      clientId: client_id,
      tenantId: demo.tenantId,
      tenantName: 'Demo',
      settings: {},
    };
    const claims = await token({ client_id, [tenantClaim]: demo.tenantId });
    await put({ ...item, suspendedAt: Date.now() });
    for (const authorizer of [byClient, byClaim])
      expect(await authorizer.withToken(claims)).toEqual({ status: 401, reason: 'suspended-tenant' });

    await put(item);
    for (const authorizer of [byClient, byClaim])
      expect(await authorizer.withToken(claims)).toMatchObject({ status: 200 });
  });
});

describe('the claim for the tenant', () => {
  test("must contain the client's tenant", async () => {
    const { clientId, tenantId } = neighbour;
    const claims = { client_id: clientId, [tenantClaim]: tenantId };

    expect(await byClaim.withToken(await token(claims))).toMatchObject({
      status: 200,
      caller: { tenantId, clientId, settings: { maxDevices: 9 } },
    });
  });

  test('does not admit an unregistered or deleted client', async () => {
    const claims = { client_id: 'any-client', [tenantClaim]: neighbour.tenantId };

    expect(await byClaim.withToken(await token(claims))).toEqual({ status: 401, reason: 'unknown-client' });
  });

  test.each([
    ['another tenant', neighbour.tenantId],
    ['an unknown tenant', '0199c0de-0000-7000-8000-00000000ffff'],
    ["the client's id", demo.clientId],
    ['a long text', 'x'.repeat(5000)],
    ['its tenant in capitals', demo.tenantId.toUpperCase()],
  ])('is rejected if it contains %s', async (_, claim) => {
    expect(await byClaim.withToken(await token({ [tenantClaim]: claim }))).toEqual({
      status: 401,
      reason: 'wrong-tenant',
    });
  });

  test.each([undefined, '', null, 7, [demo.tenantId]])('is required: %j', async (claim) => {
    expect(await byClaim.withToken(await token({ [tenantClaim]: claim }))).toEqual({
      status: 401,
      reason: 'no-tenant',
    });
  });

  test('does not replace the name of the client', async () => {
    const claims = { client_id: undefined, [tenantClaim]: demo.tenantId };

    expect(await byClaim.withToken(await token(claims))).toEqual({ status: 401, reason: 'no-client' });
  });

  test('cannot be a name that every object inherits', async () => {
    const authorizer = coldAuthorizer(oidc(issuer.url, { tenantClaim: 'constructor' }), database);

    expect(await authorizer.withToken(await token({}))).toEqual({ status: 401, reason: 'no-tenant' });
  });
});

describe('a fault of the service is not attributed to the caller', () => {
  test('when an item is malformed', async () => {
    await put({ ...tenantKeys.client('broken'), tenantId: demo.tenantId, settings: { maxDevices: 'many' } });

    expect(await byClient.withToken(await token({ client_id: 'broken' }))).toEqual({ status: 500 });
  });

  test('when a table is missing', async () => {
    const authorizer = coldAuthorizer({ ...oidc(issuer.url), TENANTS_TABLE: 'elsewhere' }, database);

    expect(await authorizer.withToken(await token({}))).toEqual({ status: 500 });
  });
});
