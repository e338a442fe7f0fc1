import { beforeAll, expect, test } from '@jest/globals';
import { isOfTenants, type RouteDefinition, routeKeyOf, routes } from '../../../lambdas/routes.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { hostileTokens } from './hostile-tokens.ts';
import { validCallOf } from './tenant-calls.ts';
import { callAs, TenantConsole } from './tenant-console.ts';

const tenantRoutes: readonly RouteDefinition[] = routes.filter(isOfTenants);

/** What a tenant learns and changes: nothing of another one, by any route, id or token. */
export function hostileTenants(stack: TestStack): void {
  let victim: TenantConsole;
  let attacker: TenantConsole;
  let replayId: string;
  let secrets: string[];

  beforeAll(async () => {
    victim = await TenantConsole.open(stack);
    attacker = await TenantConsole.open(stack);
    const { streamArn, roleArn, externalId } = await victim.activateStream();
    const range = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date().toISOString() };
    const started = await victim.post('/omi/exports/public/replays', range);
    replayId = (started.body as { replayId: string }).replayId;
    secrets = [victim.tenantId, streamArn, roleArn, externalId, victim.clientId];
  });

  const before = async () => {
    const { state, stateSince, pausedBy, lastTest, destination } = await victim.register.find(victim.ref());
    return { state, stateSince, pausedBy, lastTest, destination };
  };

  test.each(tenantRoutes.map((route) => [routeKeyOf(route), route] as const))(
    'reads and changes nothing of another tenant with %s',
    async (_, route) => {
      const seen = await before();
      const { status, body } = await callAs(attacker.client, validCallOf(route, { replayId }));
      // The attacker has no export and no replay of its own, and an empty log.
      const isList =
        route.path === '/omi/exports' ||
        /\/(ledger|deliveries|checkpoint|consistency)|minutes$/.test(route.path);
      expect([route.path, status]).toEqual([route.path, isList ? 200 : 404]);
      for (const secret of [...secrets, replayId]) expect(JSON.stringify(body ?? '')).not.toContain(secret);
      expect(await before()).toEqual(seen);
    },
  );

  test.each([
    `public%23`,
    'PUBLIC',
    'public ',
    'public%00',
    '%7B%7D',
    '__proto__',
    `target%23public`,
    encodeURIComponent('public#0199c0de'),
  ])('gets nothing for the category %s', async (category) => {
    for (const route of tenantRoutes.filter(({ path }) => path.includes('{category}'))) {
      const { status, body } = await callAs(victim.client, validCallOf(route, { replayId, category }));
      expect([route.path, [400, 404].includes(status)]).toEqual([route.path, true]);
      for (const secret of secrets.slice(1)) expect(JSON.stringify(body ?? '')).not.toContain(secret);
    }
  });

  test('cannot name another tenant, because the token alone decides', async () => {
    const { tenantId } = victim;
    for (const query of [`?tenantId=${tenantId}`, `?tenant=${tenantId}`, `?category=public&tid=${tenantId}`])
      expect(await attacker.get(`/omi/exports${query}`)).toMatchObject({
        status: 200,
        body: { exports: [] },
      });
    const forged = { method: 'GET', path: '/omi/exports' } as const;
    const headers = {
      authorization: `Bearer ${await attacker.client.accessToken()}`,
      'x-tenant-id': tenantId,
      tenantid: tenantId,
    };
    expect(await callAs(attacker.client, { ...forged, headers })).toMatchObject({ body: { exports: [] } });
    const body = {
      from: new Date(Date.now() - 60_000).toISOString(),
      to: new Date().toISOString(),
      tenantId,
    };
    expect(await attacker.post('/omi/exports/public/replays', body)).toMatchObject({ status: 400 });
  });

  test('opens no route with other credentials', async () => {
    const authorizations = {
      none: { authorization: '' },
      'of a device': { authorization: `OMI-Device ${'a'.repeat(20)}.b.c` },
      basic: { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
      unsigned: { authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` },
      'not a token': { authorization: 'Bearer x' },
    };
    for (const [name, headers] of Object.entries(authorizations))
      for (const route of tenantRoutes) {
        const { status } = await callAs(attacker.client, { ...validCallOf(route, { replayId }), headers });
        expect([name, routeKeyOf(route), status]).toEqual([name, routeKeyOf(route), 401]);
      }
  });

  test('gets nothing while suspended', async () => {
    const suspended = await TenantConsole.open(stack);
    await suspended.activateStream();
    await jsonOn(stack)('tenant', 'suspend', '--tenant', suspended.tenantId);
    for (const route of tenantRoutes) {
      const { status } = await callAs(suspended.client, validCallOf(route, { replayId }));
      expect([routeKeyOf(route), status]).toEqual([routeKeyOf(route), 401]);
    }
  });

  hostileTokens(stack, () => ({ victim, attacker }));
}
