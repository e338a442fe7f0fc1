import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bodyOf } from '../../../client/http.ts';
import { requestToken } from '../../../client/access-token.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { recoveryScope, routeScopes } from '../../../lambdas/routes.ts';
import { enrolDevice, push } from '../../contract/scenario.ts';
import { newTenant } from './tenants.ts';

type Made = { clientId: string; clientSecret: string; tokenUrl: string; scopes: string[] };

const listScope = 'credential:omi:devices:get';

export function clients(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);
  const make = async (tenantId: string): Promise<Made> =>
    await json<Made>('client', 'create', '--tenant', tenantId, '--name', 'website', '--scope', listScope);
  const tokenStatus = async (made: Made, scope?: string): Promise<number> =>
    (await requestToken({ ...made, tokenUrl: stack.file.tokenUrl }, scope === undefined ? {} : { scope }))
      .status;

  test('call the API with the scopes that they were given, and no others', async () => {
    const tenantId = await newTenant(stack);
    const made = await make(tenantId);
    expect(made).toMatchObject({
      tenantId,
      name: 'website',
      scopes: [listScope],
      tokenUrl: stack.file.tokenUrl,
    });
    const website = new WebsiteClient({ ...stack.file, ...made });
    expect(bodyOf(await website.listDevices('alice'))).toEqual({ devices: [] });
    await expect(tokenStatus(made, 'omi:events:post')).resolves.toBe(400);
  });

  test('have a secret that is shown once, and never again', async () => {
    const tenantId = await newTenant(stack);
    const { clientId, clientSecret } = await make(tenantId);
    const listed = await json('client', 'list', '--tenant', tenantId);
    expect(listed).toEqual([{ clientId, tenantId, name: 'website', scopes: [listScope] }]);
    const repeated = await omi([
      'client',
      'create',
      '--tenant',
      tenantId,
      '--name',
      'website',
      '--scope',
      'all',
    ]);
    expect(repeated).toMatchObject({ code: 1, out: '' });
    expect(repeated.err).toContain(clientId);
    expect(repeated.err).not.toContain(clientSecret);
  });

  test('do not get the recovery scope by "all", only by its name', async () => {
    const tenantId = await newTenant(stack);
    const made = async (name: string, ...scopes: string[]) =>
      (await json<Made>(...['client', 'create', '--tenant', tenantId, '--name', name, '--scope'], ...scopes))
        .scopes;
    expect(await made('all', 'all')).toEqual(routeScopes);
    expect(await made('help desk', 'all', recoveryScope)).toEqual([...routeScopes, recoveryScope]);
    expect(await made('recovery', recoveryScope)).toEqual([recoveryScope]);
  });

  test('get a second secret by a rotation, and its end removes the first', async () => {
    const first = await make(await newTenant(stack));
    const second = await json<Made>('client', 'rotate', '--client', first.clientId);
    expect(second.clientSecret).not.toBe(first.clientSecret);
    await expect(Promise.all([tokenStatus(first), tokenStatus(second)])).resolves.toEqual([200, 200]);
    const third = await omi(['client', 'rotate', '--client', first.clientId]);
    expect(third).toMatchObject({ code: 1, out: '' });
    expect(third.err).toContain('--finish');
    await json('client', 'rotate', '--client', first.clientId, '--finish');
    await expect(Promise.all([tokenStatus(first), tokenStatus(second)])).resolves.toEqual([401, 200]);
    await expect(json('client', 'rotate', '--client', first.clientId, '--finish')).resolves.toMatchObject({
      deletedSecrets: 0,
    });
  });

  describe('number matching per client', () => {
    let tenantId: string;
    let plain: Made;
    let careful: Made;
    beforeAll(async () => {
      tenantId = await newTenant(stack);
      const create = async (name: string, ...args: string[]) =>
        await json<Made>('client', 'create', tenantId, '--name', name, '--scope', 'all', ...args);
      [plain, careful] = [await create('plain'), await create('careful', '--number-matching', 'type')];
    });
    /** With a new token, so the API's cached decisions do not count. */
    const websiteOf = (made: Made) => new WebsiteClient({ ...stack.file, ...made });
    const matchCodeOf = async (made: Made): Promise<unknown> => {
      const website = websiteOf(made);
      const device = await enrolDevice(website, randomUUID());
      const { matchCode } = await push(website, device, {});
      return matchCode;
    };

    test('applies to what this client asks, not to other clients of the tenant', async () => {
      expect(await matchCodeOf(careful)).toMatch(/^\d{6}$/);
      expect(await matchCodeOf(plain)).toBeUndefined();
    });
  });

  test('get no token after their deletion, and deleting an unknown one is an error', async () => {
    const made = await make(await newTenant(stack));
    await expect(json('client', 'delete', '--client', made.clientId, '--yes')).resolves.toEqual({
      clientId: made.clientId,
      deleted: true,
    });
    await expect(tokenStatus(made)).resolves.toBe(401);
    for (const id of [made.clientId, 'nobody']) {
      const { code, out, err } = await omi(['client', 'delete', '--client', id, '--yes']);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`There is no client ${id}`);
    }
  });
}
