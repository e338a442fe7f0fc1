import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as v from 'valibot';
import { exchange } from '../../../client/http.ts';
import { signCompact, type SigningKey } from '../../../client/device/jws.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectGatewayAnswer, expectProblem, succeeded } from '../expectations.ts';
import { newUser } from '../scenario.ts';
import { websiteCalls } from './calls.ts';

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
  test('are required: without one a call answers 401', async () => {
    for (const { method, path } of websiteCalls())
      expectGatewayAnswer(await exchange({ method, url: `${stack.file.baseUrl}${path}` }, v.unknown()), 401);
  });

  test('are rejected with 401 if another key signed them, whatever algorithm they name', async () => {
    for (const key of [rsaKey(), 'none'] as const)
      expectGatewayAnswer(await list(stack, `Bearer ${await forged(stack, key)}`), 401);
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
