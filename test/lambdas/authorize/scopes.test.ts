import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  recoveryScope,
  type RouteDefinition,
  routeKeyOf,
  routes,
  scopesOf,
} from '../../../lambdas/routes.ts';
import {
  type Authorizer,
  claimsOf,
  coldAuthorizer,
  listDevices,
  oidc,
  tenantDatabase,
} from '../../support/authorizer.ts';
import { sign, type SigningKey, signingKey, TestIssuer } from '../../support/token-issuer.ts';

let issuer: TestIssuer;
let key: SigningKey;
let authorizer: Authorizer;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  key = await signingKey();
  issuer.keys = [key.jwk];
  authorizer = coldAuthorizer(oidc(issuer.url), await tenantDatabase());
});

afterAll(async () => await issuer.close());

const call = async (scope: string | undefined, routeKey?: string) =>
  await authorizer.withToken(await sign(key, claimsOf(issuer.url, { scope })), routeKey);

const definitions: readonly RouteDefinition[] = routes;
const websiteRoutes = definitions.flatMap((route) => (route.caller === 'website' ? [route] : []));
const deviceRoutes = definitions.filter(({ caller }) => caller === 'device');
const everyScope = [...new Set(websiteRoutes.flatMap(scopesOf))];

describe.each(websiteRoutes.map((route) => ({ ...route, routeKey: routeKeyOf(route) })))(
  'the route $routeKey',
  ({ routeKey, ...route }) => {
    test.each(scopesOf(route))('accepts its scope %s alone', async (scope) => {
      expect(await call(scope, routeKey)).toMatchObject({ status: 200 });
    });

    test('accepts its scope among others', async () => {
      expect(await call(['openid', ...everyScope].join(' '), routeKey)).toMatchObject({ status: 200 });
    });

    test('rejects every other scope', async () => {
      const others = everyScope.filter((other) => !scopesOf(route).includes(other)).join(' ');

      expect(await call(others, routeKey)).toEqual({ status: 403, reason: 'missing-scope' });
    });
  },
);

describe('the recovery scope', () => {
  test.each([
    [recoveryScope, true],
    ['', false],
    [`other/${recoveryScope}`, false],
    [`${recoveryScope}:all`, false],
  ])("is passed on with the route's own scope: %j", async (scope, recovery) => {
    const { caller } = await call(`${listDevices.scope} ${scope}`);
    expect(caller).toMatchObject({ recovery });
  });

  test.each(websiteRoutes.map(routeKeyOf))('gives no access to %s', async (routeKey) => {
    expect(await call(recoveryScope, routeKey)).toEqual({ status: 403, reason: 'missing-scope' });
  });
});

describe('a scope', () => {
  test.each([
    undefined,
    '',
    ' ',
    'openid',
    'credential:omi:devices:ge',
    'credential:omi:devices:get:all',
    'credential:omi:devices:get,openid',
    'credential:omi:devices',
    'credential:omi:devices:*',
    'Credential:omi:devices:get',
    'CREDENTIAL:OMI:DEVICES:GET',
    'credential:omi:devices:get\t',
    'omi/credential:omi:devices:get',
    '/credential:omi:devices:get',
    'credential:omi:devices: get',
    '__proto__',
  ])('does not match %j', async (scope) => {
    expect(await call(scope)).toEqual({ status: 403, reason: 'missing-scope' });
  });

  test.each([` ${listDevices.scope}`, `${listDevices.scope} `, `openid  ${listDevices.scope}`])(
    'matches with spaces around it: %j',
    async (scope) => {
      expect(await call(scope)).toMatchObject({ status: 200 });
    },
  );
});

describe('a route without access tokens', () => {
  test.each([...deviceRoutes.map(routeKeyOf), '$default', '', 'GET /omi/users/{userId}/devices/'])(
    'is a fault of the API for every caller: %j',
    async (routeKey) => {
      expect(await call(everyScope.join(' '), routeKey)).toEqual({ status: 500 });
      expect(await authorizer.withHeader(undefined, routeKey)).toEqual({ status: 500 });
    },
  );
});
