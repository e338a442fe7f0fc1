/** A member of a tenant's group who has signed in at the exports page, and other members who have. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import {
  authorizerOf,
  isOfTenants,
  type RouteDefinition,
  routeKeyOf,
  routes,
} from '../../../lambdas/routes.ts';
import { mapConcurrent } from '../../../core/kernel/map-concurrent.ts';
import { type MemberName, signIn } from '../../support/staff.ts';
import type { TestStack } from '../../support/stack.ts';
import { validCallOf } from './tenant-calls.ts';
import { callAs } from './tenant-console.ts';

/** More would have calls take too long on a small machine. */
const callsAtOnce = 10;

const withToken: readonly RouteDefinition[] = routes.filter((route) => authorizerOf(route) !== undefined);

/** Of exports that do not exist, so that nothing changes for others. */
const ids = { replayId: randomUUID(), category: 'nothing' };

export function signedInMembers(stack: TestStack): void {
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    for (const member of ['olga', 'sam', 'ines'] as const)
      for (const page of ['console', 'exports'] as const)
        tokens[`${member} at ${page}`] = (await signIn(stack.file, member, page)).idToken;
    tokens['ines by access token'] = (await signIn(stack.file, 'ines', 'exports')).accessToken;
  });

  const statusOf = async (route: RouteDefinition, token = ''): Promise<number> => {
    const call = validCallOf(route, ids);
    const headers = { authorization: `Bearer ${token}` };
    return (await callAs(stack.website, { ...call, headers })).status;
  };

  /** The routes with a token that do not refuse this one. */
  const openedBy = async (name: string): Promise<string[]> => {
    const statuses = await mapConcurrent(
      withToken,
      callsAtOnce,
      async (route) => await statusOf(route, tokens[name]),
    );
    return withToken.filter((_, index) => ![401, 403].includes(statuses[index] ?? 0)).map(routeKeyOf);
  };

  test.each(['ines at exports', 'ines by access token'])(
    'open every route of exports, and no other: %s',
    async (name) => {
      expect(await openedBy(name)).toEqual(routes.filter(isOfTenants).map(routeKeyOf));
    },
  );

  test('see the exports of their tenant alone', async () => {
    const [{ tenantId, name }] = stack.file.tenants;
    const headers = { authorization: `Bearer ${tokens['ines at exports']}` };
    const list = async (query = '') =>
      await callAs(stack.neighbour, { method: 'GET', path: `/omi/exports${query}`, headers });
    expect(await list()).toMatchObject({ status: 200, body: { tenant: { tenantId, name } } });
    const [, { tenantId: other }] = stack.file.tenants;
    expect(await list(`?tenantId=${other}`)).toMatchObject({ status: 200, body: { tenant: { tenantId } } });
  });

  test.each<[MemberName, string]>([
    ['olga', 'an operator'],
    ['sam', 'the support of the tenant'],
  ])('open nothing if they are not of its group: %s is %s', async (member) => {
    expect(await openedBy(`${member} at exports`)).toEqual([]);
  });

  test('open the help desk by its own sign-in alone, and it opens no exports', async () => {
    const staffRoutes = routes.filter(({ caller }) => caller === 'staff').map(routeKeyOf);
    expect(await openedBy('olga at console')).toEqual(staffRoutes);
    expect(await openedBy('ines at console')).toEqual([]);
  });
}
