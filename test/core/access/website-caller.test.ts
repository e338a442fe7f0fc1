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
  TENANTS_TABLE,
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
  await database.send(new PutCommand({ TableName: TENANTS_TABLE, Item: item }));

describe('the tenant is that of the client', () => {
  test.each([demo, neighbour])('$clientId', async ({ clientId, tenantId }) => {
    expect(await byClient.withToken(await token({ client_id: clientId }))).toMatchObject({
      status: 200,
      caller: { clientId, tenantId, settings: { maxDevices: tenantId === demo.tenantId ? 5 : 9 } },
    });
  });

  test('whatever tenant the token names', async () => {
    const claims = {
      tenantId: neighbour.tenantId,
      tid: neighbour.tenantId,
      [tenantClaim]: neighbour.tenantId,
    };

    expect(await byClient.withToken(await token(claims))).toMatchObject({
      caller: { tenantId: demo.tenantId },
    });
  });

  test('that `azp` names where there is no `client_id`', async () => {
    expect(
      await byClient.withToken(await token({ client_id: undefined, azp: neighbour.clientId })),
    ).toMatchObject({
      status: 200,
      caller: neighbour,
    });
  });

  test('that `client_id` names where `azp` names another', async () => {
    expect(await byClient.withToken(await token({ azp: neighbour.clientId }))).toMatchObject({
      status: 200,
      caller: demo,
    });
  });
});

describe('a client that nobody knows', () => {
  test.each([
    'stranger',
    'DEMO-CLIENT',
    'demo-client ',
    'client#demo-client',
    demo.tenantId,
    'x'.repeat(5000),
  ])('is refused: %.20s', async (clientId) => {
    expect(await byClient.withToken(await token({ client_id: clientId }))).toEqual({
      status: 401,
      reason: 'unknown-client',
    });
  });

  test('is refused even without the scope', async () => {
    expect(await byClient.withToken(await token({ client_id: 'stranger', scope: '' }))).toMatchObject({
      status: 401,
    });
  });

  test.each([undefined, '', null, 7, ['demo-client'], { id: 'demo-client' }])(
    'is refused where the token names none: %j',
    async (clientId) => {
      expect(await byClient.withToken(await token({ client_id: clientId, sub: demo.clientId }))).toEqual({
        status: 401,
        reason: 'no-client',
      });
    },
  );

  test('is one that was removed, from the next call on', async () => {
    const client_id = 'short-lived';
    await put({
      ...tenantKeys.client(client_id),
      clientId: client_id,
      tenantId: demo.tenantId,
      settings: {},
    });
    expect(await byClient.withToken(await token({ client_id }))).toMatchObject({ status: 200 });

    await database.send(new DeleteCommand({ TableName: TENANTS_TABLE, Key: tenantKeys.client(client_id) }));

    expect(await byClient.withToken(await token({ client_id }))).toEqual({
      status: 401,
      reason: 'unknown-client',
    });
  });
});

describe('of a suspended tenant', () => {
  test('no client is let in, with a claim or without', async () => {
    const client_id = 'shut-out';
    const item = {
      ...tenantKeys.client(client_id),
      clientId: client_id,
      tenantId: demo.tenantId,
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

describe('where a claim names the tenant', () => {
  test('it must be the tenant of the client, with its settings', async () => {
    const { clientId, tenantId } = neighbour;
    const claims = { client_id: clientId, [tenantClaim]: tenantId };

    expect(await byClaim.withToken(await token(claims))).toMatchObject({
      status: 200,
      caller: { tenantId, clientId, settings: { maxDevices: 9 } },
    });
  });

  test('a client that is not registered, or was deleted, is refused', async () => {
    const claims = { client_id: 'any-client', [tenantClaim]: neighbour.tenantId };

    expect(await byClaim.withToken(await token(claims))).toEqual({ status: 401, reason: 'unknown-client' });
  });

  test.each([
    ['another tenant', neighbour.tenantId],
    ['an unknown tenant', '0199c0de-0000-7000-8000-00000000ffff'],
    ["the client's id", demo.clientId],
    ['a long text', 'x'.repeat(5000)],
    ['its tenant in capitals', demo.tenantId.toUpperCase()],
  ])('%s than that of the client is refused', async (_, claim) => {
    expect(await byClaim.withToken(await token({ [tenantClaim]: claim }))).toEqual({
      status: 401,
      reason: 'wrong-tenant',
    });
  });

  test.each([undefined, '', null, 7, [demo.tenantId]])('a token without it is refused: %j', async (claim) => {
    expect(await byClaim.withToken(await token({ [tenantClaim]: claim }))).toEqual({
      status: 401,
      reason: 'no-tenant',
    });
  });

  test('the token still names its client', async () => {
    const claims = { client_id: undefined, [tenantClaim]: demo.tenantId };

    expect(await byClaim.withToken(await token(claims))).toEqual({ status: 401, reason: 'no-client' });
  });

  test('a name that every object has is no claim', async () => {
    const authorizer = coldAuthorizer(oidc(issuer.url, { tenantClaim: 'constructor' }), database);

    expect(await authorizer.withToken(await token({}))).toEqual({ status: 401, reason: 'no-tenant' });
  });
});

describe('a fault of ours is not the caller’s', () => {
  test('a malformed item', async () => {
    await put({ ...tenantKeys.client('broken'), tenantId: demo.tenantId, settings: { maxDevices: 'many' } });

    expect(await byClient.withToken(await token({ client_id: 'broken' }))).toEqual({ status: 500 });
  });

  test('a table that is not there', async () => {
    const authorizer = coldAuthorizer({ ...oidc(issuer.url), TENANTS_TABLE: 'elsewhere' }, database);

    expect(await authorizer.withToken(await token({}))).toEqual({ status: 500 });
  });
});
