/** Who may see and steer a tenant's exports, by tokens of every kind. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { isOfTenants, routeKeyOf, routes } from '../../lambdas/routes.ts';
import {
  type Authorizer,
  coldAuthorizer,
  coldExportsAuthorizer,
  claimsOf,
  demo,
  neighbour,
  oidc,
  tenantDatabase,
  tenantsTable,
} from '../support/authorizer.ts';
import {
  type Claims,
  secondsFromNow,
  sign,
  signingKey,
  type SigningKey,
  TestIssuer,
} from '../support/token-issuer.ts';

const clientId = 'exports-page';
const suspended = '0199c0de-0000-7000-8000-000000000003';
const unknown = '0199c0de-0000-7000-8000-000000000009';
const groupOf = (tenantId: string): string => `exports:${tenantId}`;

let websites: TestIssuer;
let members: TestIssuer;
let key: SigningKey;
let exports: Authorizer;
let others: Authorizer;

const environmentOf = (websitesUrl: string, membersUrl: string) => ({
  TOKEN_ISSUER_KIND: 'oidc' as const,
  OIDC_ISSUER: websitesUrl,
  TENANTS_TABLE: tenantsTable,
  STAFF_ISSUER_KIND: 'oidc' as const,
  STAFF_ISSUER: membersUrl,
  STAFF_GROUPS_CLAIM: 'groups',
});

let both: Authorizer;

beforeAll(async () => {
  [websites, members] = [await TestIssuer.start(), await TestIssuer.start()];
  key = await signingKey('RS256');
  for (const issuer of [websites, members]) issuer.keys = [key.jwk];
  const database = await tenantDatabase();
  const item = { tenantId: suspended, name: 'Suspended', settings: {}, suspendedAt: 1 };
  await database.send(
    new PutCommand({ TableName: tenantsTable, Item: { ...tenantKeys.profile(suspended), ...item } }),
  );
  exports = coldExportsAuthorizer(environmentOf(websites.url, members.url), database, clientId);
  both = coldExportsAuthorizer(environmentOf(members.url, members.url), database, clientId);
  others = coldAuthorizer(oidc(websites.url), database);
});
afterAll(async () => await Promise.all([websites.close(), members.close()]));

const memberToken = async (claims: Claims = {}): Promise<string> =>
  await sign(key, {
    iss: members.url,
    aud: clientId,
    sub: 'ines',
    exp: secondsFromNow(3_600),
    groups: [groupOf(demo.tenantId)],
    ...claims,
  });

const websiteToken = async (claims: Claims = {}): Promise<string> =>
  await sign(key, claimsOf(websites.url, { scope: 'omi:exports:get', ...claims }));

describe('a member of the group of one tenant', () => {
  test('is let in as that tenant, named by its id', async () => {
    const exp = secondsFromNow(600);
    expect(await exports.withToken(await memberToken({ exp }))).toMatchObject({
      status: 200,
      caller: {
        tenantId: demo.tenantId,
        clientId: 'member:ines',
        tokenExpiresAt: exp,
        requester: { tenant: 'demo-client', client: 'ines' },
        recovery: false,
      },
    });
  });

  test.each(routes.filter(isOfTenants).map(routeKeyOf))('may %s', async (routeKey) => {
    expect(await exports.withToken(await memberToken(), routeKey)).toMatchObject({ status: 200 });
  });

  test.each(routes.filter((route) => !isOfTenants(route)).map(routeKeyOf))(
    'is let in to nothing by %s, should its calls come to this authorizer',
    async (routeKey) => {
      expect(await exports.withToken(await memberToken(), routeKey)).toMatchObject({ status: 500 });
    },
  );

  test("is no website to the authorizer of websites' other routes", async () => {
    expect(await others.withToken(await memberToken({ scope: 'credential:omi:devices:get' }))).toEqual({
      status: 401,
      reason: 'wrong-issuer',
    });
  });

  test.each<[string, unknown]>([
    ['twice', [groupOf(demo.tenantId), groupOf(demo.tenantId)]],
    ['beside other groups', ['operator', `support:${neighbour.tenantId}`, groupOf(demo.tenantId)]],
    ['in one text', `engineers ${groupOf(demo.tenantId)}`],
  ])('may have it %s', async (_, groups) => {
    expect(await exports.withToken(await memberToken({ groups }))).toMatchObject({
      status: 200,
      caller: { tenantId: demo.tenantId },
    });
  });
});

test.each<[string, string, unknown]>([
  ['without groups', 'wrong-group', undefined],
  ['of the help desk of the tenant', 'wrong-group', [`support:${demo.tenantId}`]],
  ['of the help desk of all tenants', 'wrong-group', ['support']],
  ['who is an operator', 'wrong-group', ['operator']],
  ['of two tenants', 'several-tenants', [groupOf(demo.tenantId), groupOf(neighbour.tenantId)]],
  ['of a tenant that does not exist', 'unknown-tenant', [groupOf(unknown)]],
  ['of a tenant without an id', 'unknown-tenant', [groupOf('')]],
  ['of what is no tenant', 'unknown-tenant', [groupOf(`${demo.tenantId}#`)]],
  ['of a name that no key may have', 'unknown-tenant', [groupOf('a'.repeat(4_000))]],
  ['of a suspended tenant', 'suspended-tenant', [groupOf(suspended)]],
])('a member %s is refused, and the log says why: %s', async (_, reason, groups) => {
  expect(await exports.withToken(await memberToken({ groups }))).toEqual({ status: 403, reason });
});

test.each<[string, string, Claims]>([
  ['is expired', 'expired', { exp: secondsFromNow(-1) }],
  ['is not valid yet', 'not-yet-valid', { nbf: secondsFromNow(600) }],
  ['is for the help desk', 'wrong-audience', { aud: 'help-desk' }],
  ['is of another issuer', 'wrong-issuer', { iss: 'https://other.example' }],
  ['names nobody', 'no-member', { sub: undefined }],
])("a member's token that %s is no token: %s", async (_, reason, claims) => {
  expect(await exports.withToken(await memberToken(claims))).toEqual({ status: 401, reason });
});

test("a member's token that another key signed is no token", async () => {
  const stranger = await signingKey('RS256', key.jwk.kid);
  const claims = { iss: members.url, aud: clientId, sub: 'ines', groups: [groupOf(demo.tenantId)] };
  const token = await sign(stranger, { ...claims, exp: secondsFromNow(60) });
  expect(await exports.withToken(token)).toEqual({ status: 401, reason: 'wrong-signature' });
});

describe('a website', () => {
  test('is let in by its scope, as before', async () => {
    expect(await exports.withToken(await websiteToken())).toMatchObject({ status: 200, caller: demo });
    expect(await exports.withToken(await websiteToken(), 'POST /omi/exports/{category}/test')).toEqual({
      status: 403,
      reason: 'missing-scope',
    });
  });

  test('gains nothing by a group in its token', async () => {
    const groups = [groupOf(neighbour.tenantId)];
    expect(await exports.withToken(await websiteToken({ groups }))).toMatchObject({ caller: demo });
    expect(await exports.withToken(await websiteToken({ groups, scope: '' }))).toMatchObject({ status: 403 });
    expect(await exports.withToken(await websiteToken({ groups, aud: clientId }))).toMatchObject({
      caller: demo,
    });
  });
});

describe('where one issuer makes the tokens of websites and of members', () => {
  test('each is verified as what it is', async () => {
    expect(await both.withToken(await memberToken())).toMatchObject({
      status: 200,
      caller: { clientId: 'member:ines' },
    });
    expect(await both.withToken(await websiteToken({ iss: members.url }))).toMatchObject({
      status: 200,
      caller: demo,
    });
  });

  test('the help desk opens nothing', async () => {
    expect(await both.withToken(await memberToken({ aud: 'help-desk' }))).toEqual({
      status: 401,
      reason: 'no-client',
    });
  });
});
