import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayRequestAuthorizerEventV2, Context } from 'aws-lambda';
import { fetchDocument } from '../../core/access/fetch-document.ts';
import { staffIssuer } from '../../core/access/staff-issuer.ts';
import { createClaimsVerifier } from '../../core/access/token-verifier.ts';
import { createHandler } from '../../lambdas/authorize-staff/handler.ts';
import {
  type Claims,
  secondsFromNow,
  sign,
  signingKey,
  type SigningKey,
  TestIssuer,
} from '../support/token-issuer.ts';

const clientId = 'console';
const tenantId = '0199c0de-0000-7000-8000-000000000001';

let issuer: TestIssuer;
let key: SigningKey;
let authorize: (token: string, routeKey?: string) => Promise<unknown>;

const findUser = 'GET /omi/staff/users/{userId}';
const listExports = 'GET /omi/staff/exports';

beforeAll(async () => {
  issuer = await TestIssuer.start();
  key = await signingKey('RS256');
  issuer.keys = [key.jwk];
  const its = staffIssuer(
    {
      STAFF_ISSUER_KIND: 'oidc',
      STAFF_ISSUER: issuer.url,
      STAFF_GROUPS_CLAIM: 'groups',
    },
    clientId,
    fetchDocument,
  );
  const handler = createHandler({
    verifyClaims: createClaimsVerifier(its),
    groupsClaim: its.groupsClaim,
    logger: new Logger({ logLevel: 'SILENT' }),
  });
  authorize = async (token, routeKey = findUser) => {
    const event = { routeKey, headers: { authorization: `Bearer ${token}` } };
    return await handler(event as unknown as APIGatewayRequestAuthorizerEventV2, {} as Context);
  };
});
afterAll(async () => await issuer.close());

const tokenWith = async (claims: Claims = {}): Promise<string> =>
  await sign(key, {
    iss: issuer.url,
    aud: clientId,
    sub: 'sam',
    exp: secondsFromNow(3600),
    groups: ['support'],
    ...claims,
  });

const unauthenticated = { isAuthorized: true, context: { unauthenticated: true } };

test.each<[string, unknown, object]>([
  ['the support of all tenants', ['support'], { isOperator: false, supports: 'all' }],
  ['the support of one tenant', [`support:${tenantId}`], { isOperator: false, supports: [tenantId] }],
  ['an operator, who supports all tenants', ['operator'], { isOperator: true, supports: 'all' }],
  ['a member whose groups are one text', `x support:${tenantId}`, { supports: [tenantId] }],
])('%s may find users', async (_name, groups, context) => {
  expect(await authorize(await tokenWith({ groups }))).toMatchObject({
    isAuthorized: true,
    // The access log names the member of every call, also of one that is refused or no event.
    context: { memberId: 'sam', clientId: 'member:sam', ...context },
  });
});

test.each<[string, unknown]>([
  ['no group', undefined],
  ['other groups', ['supporters', 'admin']],
])('a member with %s may do nothing', async (_name, groups) => {
  expect(await authorize(await tokenWith({ groups }))).toEqual({ isAuthorized: false });
});

test('the support of all tenants sees no exports', async () => {
  expect(await authorize(await tokenWith(), listExports)).toEqual({ isAuthorized: false });
  expect(await authorize(await tokenWith({ groups: ['operator'] }), listExports)).toMatchObject({
    isAuthorized: true,
  });
});

test.each<[string, Claims]>([
  ['is expired', { exp: secondsFromNow(-1) }],
  ['is for another client', { aud: 'website' }],
  ['is of another issuer', { iss: 'https://other.example' }],
  ['names nobody', { sub: undefined }],
])('a token that %s is no token', async (_name, claims) => {
  expect(await authorize(await tokenWith(claims))).toEqual(unauthenticated);
});

test('a token that another key signed is no token', async () => {
  const stranger = await signingKey('RS256', key.jwk.kid);
  const token = await sign(stranger, { iss: issuer.url, aud: clientId, sub: 'sam', exp: secondsFromNow(60) });
  expect(await authorize(token)).toEqual(unauthenticated);
});

test('a route of websites is a fault of the wiring', async () => {
  await expect(authorize(await tokenWith(), 'GET /omi/exports')).rejects.toThrow();
});
