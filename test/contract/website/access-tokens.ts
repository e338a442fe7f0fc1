import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as v from 'valibot';
import { requestToken } from '../../../tools/client/access-token.ts';
import { bodyOf, exchange } from '../../../tools/client/http.ts';
import { signCompact, type SigningKey } from '../../../tools/client/device/jws.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectGatewayAnswer, expectProblem, succeeded } from '../expectations.ts';
import { newUser, repeatedly } from '../scenario.ts';
import { websiteCalls } from './calls.ts';

const discoverySchema = v.looseObject({
  issuer: v.string(),
  token_endpoint: v.string(),
  jwks_uri: v.string(),
});

const ours = (stack: TestStack) => ({ ...stack.file, ...stack.file.tenants[0] });

async function discover({ file: { issuer } }: TestStack) {
  return bodyOf(
    await exchange({ method: 'GET', url: `${issuer}/.well-known/openid-configuration` }, discoverySchema),
  );
}

/** A token with the claims of a real one, signed by somebody else. */
async function forged(stack: TestStack, key: SigningKey, claims: Record<string, unknown> = {}) {
  const real = await stack.website.accessToken();
  const { kid, typ } = decodeProtectedHeader(real);
  return signCompact({ header: { kid, typ }, claims: { ...decodeJwt(real), ...claims }, key });
}

const rsaKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

async function list(stack: TestStack, authorization: string | undefined) {
  const headers = authorization === undefined ? {} : { authorization };
  const url = `${stack.file.baseUrl}/omi/users/${newUser()}/devices`;
  return await exchange({ method: 'GET', url, headers }, v.unknown());
}

export function accessTokens(stack: TestStack): void {
  test("are described by the issuer's metadata", async () => {
    const { issuer, token_endpoint: tokenEndpoint } = await discover(stack);
    expect({ issuer, tokenEndpoint }).toEqual({
      issuer: stack.file.issuer,
      tokenEndpoint: stack.file.tokenUrl,
    });
  });

  test.each(['basic', 'form'] as const)(
    'are JWTs for one hour, by client credentials as %s',
    async (credentialsIn) => {
      const granted = bodyOf(await requestToken(ours(stack), { credentialsIn }));
      expect(granted.expires_in).toBe(3600);
      const keys = createRemoteJWKSet(new URL((await discover(stack)).jwks_uri));
      const { payload } = await jwtVerify(granted.access_token, keys, { issuer: stack.file.issuer });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    },
  );

  test('can be narrowed by the scope parameter', async () => {
    const scope = 'credential:omi:devices:get credential:omi:push-notification:status:get';
    const { access_token: token } = bodyOf(await requestToken(ours(stack), { scope }));
    expect(String(decodeJwt(token)['scope']).split(' ').sort()).toEqual(scope.split(' ').sort());
  });

  test('are not issued for a wrong secret', async () => {
    const answer = await requestToken({ ...ours(stack), clientSecret: 'wrong' });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test('are required: without one a call answers 401', async () => {
    for (const { method, path } of websiteCalls())
      expectGatewayAnswer(await exchange({ method, url: `${stack.file.baseUrl}${path}` }, v.unknown()), 401);
  });

  test.each(['Bearer', 'Bearer ', 'Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'x'])(
    '"%s" is rejected with 401',
    async (header) => {
      expectGatewayAnswer(await list(stack, header), 401);
    },
  );

  test('are rejected with 401 without their signature', async () => {
    const [header, claims] = (await stack.website.accessToken()).split('.');
    expectGatewayAnswer(await list(stack, `Bearer ${header ?? ''}.${claims ?? ''}.`), 401);
  });

  test('are rejected with 401 if another key signed them, whatever algorithm they name', async () => {
    for (const key of [rsaKey(), 'none'] as const)
      expectGatewayAnswer(await list(stack, `Bearer ${await forged(stack, key)}`), 401);
  });

  test('are rejected with 401 if their expiry was changed', async () => {
    const [, , signature] = (await stack.website.accessToken()).split('.');
    const [header, claims] = (await forged(stack, 'none', { exp: 4_102_444_800 })).split('.');
    expectGatewayAnswer(await list(stack, `Bearer ${header ?? ''}.${claims ?? ''}.${signature ?? ''}`), 401);
  });

  test('serve many calls', async () => {
    const token = `Bearer ${await stack.website.accessToken()}`;
    const answers = await repeatedly(3, async () => await list(stack, token));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("are not accepted as a device's signature", async () => {
    const url = `${stack.file.baseUrl}/omi/device/challenges`;
    const authorization = `Bearer ${await stack.website.accessToken()}`;
    expectProblem(
      await exchange({ method: 'GET', url, headers: { authorization } }, v.unknown()),
      401,
      'invalid-signature',
    );
  });

  test('alone determine the tenant', async () => {
    const headers = { 'x-tenant-id': stack.file.tenants[1].tenantId };
    const path = `/omi/users/${newUser()}/devices?tenantId=${stack.file.tenants[1].tenantId}`;
    succeeded(await stack.website.call({ method: 'GET', path, headers }, v.unknown()), 200);
  });
}
