import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { APIGatewayRequestAuthorizerEventV2, Context } from 'aws-lambda';
import { claimsOf, demo, listDevices, tenantsTable, tenantDatabase } from '../../support/authorizer.ts';
import { sign, signingKey, TestIssuer } from '../../support/token-issuer.ts';

let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  await tenantDatabase();
  Object.assign(process.env, {
    TOKEN_ISSUER_KIND: 'oidc',
    OIDC_ISSUER: issuer.url,
    TENANTS_TABLE: tenantsTable,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
});

afterAll(async () => await issuer.close());

test('the Lambda authorizes as its environment configures', async () => {
  const { handler } = await import('../../../lambdas/authorize/index.ts');
  const key = await signingKey();
  issuer.keys = [key.jwk];
  const authorization = `Bearer ${await sign(key, claimsOf(issuer.url))}`;
  const event = { routeKey: listDevices.routeKey, headers: { authorization } };

  expect(await handler(event as unknown as APIGatewayRequestAuthorizerEventV2, {} as Context)).toMatchObject({
    isAuthorized: true,
    context: demo,
  });
});
