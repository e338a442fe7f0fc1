import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Environment } from '../../../lambdas/authorize/definition.ts';
import {
  type Authorizer,
  claimsOf,
  coldAuthorizer,
  demo,
  listDevices,
  neighbour,
  tenantsTable,
  tenantDatabase,
} from '../../support/authorizer.ts';
import { type Claims, freeze, sign, type SigningKey, signingKey } from '../../support/token-issuer.ts';

const userPoolId = 'eu-central-1_AbCdEf123';
const issuerName = `https://cognito-idp.eu-central-1.amazonaws.com/${userPoolId}`;
const globalIssuerName = `https://issuer-cognito-idp.eu-central-1.amazonaws.com/${userPoolId}`;

const environment: Environment = {
  TOKEN_ISSUER_KIND: 'cognito',
  COGNITO_USER_POOL_ID: userPoolId,
  TENANTS_TABLE: tenantsTable,
  TENANT_CLAIM: undefined,
};

let key: SigningKey;
let database: DynamoDBDocumentClient;
let authorizer: Authorizer;
const fetched: string[] = [];

/** In place of Cognito, which is not on this machine. */
const fetchDocument = (address: string): Promise<ArrayBuffer> => {
  fetched.push(address);
  return Promise.resolve(new TextEncoder().encode(JSON.stringify({ keys: [key.jwk] })).buffer);
};

beforeAll(async () => {
  [key, database] = await Promise.all([signingKey('RS256'), tenantDatabase()]);
});
beforeEach(() => {
  fetched.length = 0;
  authorizer = coldAuthorizer(environment, database, fetchDocument);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** As Cognito's client credentials grant makes them, but for the changes. */
const call = async (changes: Claims = {}) =>
  await authorizer.withToken(
    await sign(
      key,
      claimsOf(issuerName, {
        token_use: 'access',
        sub: demo.clientId,
        version: 2,
        jti: 'f0e1d2c3',
        scope: `omi/${listDevices.scope} omi/credential:omi:enrol:qr:post`,
        ...changes,
      }),
    ),
  );

describe('a token of the user pool', () => {
  test("is accepted with the scope in Cognito's form", async () => {
    expect(await call()).toMatchObject({ status: 200, caller: demo });
  });

  test('is verified with the keys of the pool, which are read once', async () => {
    await call();
    await call();

    expect(fetched).toEqual([`${issuerName}/.well-known/jwks.json`]);
  });

  test('may belong to any client of the pool', async () => {
    expect(await call({ client_id: neighbour.clientId })).toMatchObject({ status: 200, caller: neighbour });
  });

  test('may come from a clock that is slightly ahead', async () => {
    const now = freeze();

    expect(await call({ nbf: now + 5 })).toMatchObject({ status: 200 });
    expect(await call({ nbf: now + 6 })).toEqual({ status: 401, reason: 'not-yet-valid' });
  });

  test('may contain the other form of the issuer', async () => {
    expect(await call({ iss: globalIssuerName })).toMatchObject({ status: 200 });
  });

  test.each([
    `other/${listDevices.scope}`,
    `omi/omi/${listDevices.scope}`,
    `OMI/${listDevices.scope}`,
    `omi:${listDevices.scope}`,
    `omi/${listDevices.scope}/`,
    listDevices.scope.replace('omi', 'omi/omi'),
    'omi/',
  ])('is rejected with the scope %s', async (scope) => {
    expect(await call({ scope })).toEqual({ status: 403, reason: 'missing-scope' });
  });

  test.each(['id', 'refresh', undefined, '', 7, 'Access'])(
    'is rejected with token_use %j',
    async (token_use) => {
      expect(await call({ token_use })).toEqual({ status: 401, reason: 'wrong-token-use' });
    },
  );

  test.each([
    'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Other1234',
    'https://cognito-idp.us-east-1.amazonaws.com/eu-central-1_AbCdEf123',
    `${issuerName}/`,
    undefined,
  ])('is rejected with the issuer %j', async (iss) => {
    expect(await call({ iss })).toEqual({ status: 401, reason: 'wrong-issuer' });
  });

  test.each([undefined, 'stranger'])('is rejected with the client %j', async (client_id) => {
    expect(await call({ client_id })).toMatchObject({ status: 401 });
  });
});

test('an invalid pool id is rejected at the start', () => {
  expect(() => coldAuthorizer({ ...environment, COGNITO_USER_POOL_ID: 'pool' }, database)).toThrow('pool');
});
