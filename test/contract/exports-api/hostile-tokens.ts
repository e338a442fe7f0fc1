import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { signCompact } from '../../../client/device/jws.ts';
import { bodyOf } from '../../../client/http.ts';
import { isOfTenants, type RouteDefinition, routeKeyOf, routes } from '../../../lambdas/routes.ts';
import type { TestStack } from '../../support/stack.ts';
import { demoClient } from '../ciba/oauth-client.ts';
import { enrolDevice, openChallenge } from '../scenario.ts';
import { validCallOf } from './tenant-calls.ts';
import { callAs, type TenantConsole } from './tenant-console.ts';

const tenantRoutes: readonly RouteDefinition[] = routes.filter(isOfTenants);
const replayId = '0199c0de-0000-7000-8000-000000000001';

type Tenants = { victim: TenantConsole; attacker: TenantConsole };

/** Tokens that are real, but not for these routes, and tokens that the issuer would never sign so. */
export function hostileTokens(stack: TestStack, tenants: () => Tenants): void {
  /** Each call sends another token than the client's own. */
  const statusesWith = async (token: string): Promise<[string, number][]> => {
    const headers = { authorization: `Bearer ${token}` };
    const calls = tenantRoutes.map(async (route): Promise<[string, number]> => {
      const call = { ...validCallOf(route, { replayId }), headers };
      return [routeKeyOf(route), (await callAs(tenants().attacker.client, call)).status];
    });
    return await Promise.all(calls);
  };

  const refusals = tenantRoutes.map((route): [string, number] => [routeKeyOf(route), 401]);

  /** Signed with the key of the issuer, as if its configuration were wrong. */
  const signed = async (claims: Record<string, unknown>): Promise<string> => {
    const secrets = await readFile(join(stack.directory, 'secrets.json'), 'utf8');
    const { signingKey } = JSON.parse(secrets) as { signingKey: JsonWebKey };
    const real = await tenants().attacker.client.accessToken();
    const { kid, typ } = decodeProtectedHeader(real);
    return signCompact({
      header: { alg: 'RS256', kid, typ },
      claims: { ...decodeJwt(real), ...claims },
      key: createPrivateKey({ key: signingKey, format: 'jwk' }),
    });
  };

  let issued: Record<string, unknown>;
  beforeAll(async () => {
    const client = demoClient(stack);
    const phone = await enrolDevice(stack.website);
    const { auth_req_id: id } = await client.start(phone.identity.userId);
    bodyOf(await phone.confirm(await openChallenge(phone)));
    const { status, body } = await client.poll(id);
    if (status !== 200) throw new Error(`The request was not redeemed: ${JSON.stringify(body)}`);
    issued = body;
  });

  test.each(['access_token', 'id_token'])('cannot use the %s of a confirmation', async (name) => {
    expect(await statusesWith(String(issued[name]))).toEqual(refusals);
  });

  test("gets its own client's tenant from a token that names two tenants", async () => {
    const { victim, attacker } = tenants();
    const claims = {
      ...{ azp: victim.clientId, tid: victim.tenantId, tenant: victim.tenantId, tenantId: victim.tenantId },
      scope: `${String(decodeJwt(await victim.client.accessToken())['scope'])} ${victim.tenantId}/omi:exports:post`,
    };
    const headers = { authorization: `Bearer ${await signed(claims)}` };
    const listed = await callAs(attacker.client, { method: 'GET', path: '/omi/exports', headers });
    expect(listed).toMatchObject({ status: 200, body: { exports: [] } });
    const paused = await callAs(attacker.client, {
      ...{ method: 'POST', path: '/omi/exports/public/pause', headers },
    });
    expect(paused).toMatchObject({ status: 404, body: { code: 'export-not-found' } });
    expect((await victim.register.find(victim.ref())).state).not.toBe('paused');
  });
}
