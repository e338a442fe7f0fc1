import { expect, test } from '@jest/globals';
import { ProfileStore } from '../../../cli/tenants/profile-store.ts';
import { TenantStore } from '../../../core/tenants/tenant-store.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf } from './tables.ts';

type Tenant = { tenantId: string; name: string; settings: object };

/** Those of the tenants that are there from the start. */
const localSettings: TenantSettings = { ...defaultSettings, furtherDevices: 'free' };

/** A tenant of the test's own. */
export const newTenant = async (stack: TestStack): Promise<string> =>
  (await jsonOn(stack)<Tenant>('tenant', 'create', '--name', 'Bank')).tenantId;

export function tenants(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);
  const store = () => new TenantStore(dynamodbOf(stack), localTables.tenants);
  const directory = () => new ProfileStore(dynamodbOf(stack), localTables.tenants);

  test('get the defaults if nothing else is given', async () => {
    const tenant = await json<Tenant>('tenant', 'create', '--name', 'Bank');
    expect(tenant).toEqual({
      tenantId: expect.any(String),
      name: 'Bank',
      state: 'active',
      settings: defaultSettings,
    });
    await expect(directory().find(tenant.tenantId)).resolves.toMatchObject({
      tenantId: tenant.tenantId,
      settings: defaultSettings,
    });
  });

  test('get the settings that are given', async () => {
    const { settings } = await json(
      ...['tenant', 'create', '--name', 'Bank', '--number-matching', 'pick', '--generic-text', 'Öffnen 👋'],
      ...['--max-devices', '3', '--per-day', '7', '--not-me-pause-seconds', '0'],
      ...['--further-devices', 'confirm', '--user-verification', 'preferred', '--evidence-in-events', 'on'],
      ...[
        '--show-votes',
        'on',
        '--longest-lifetime',
        '86400',
        '--open-per-device',
        '20',
        '--events-per-second',
        '2000',
      ],
    );
    expect(settings).toEqual({
      numberMatching: 'pick',
      genericPushText: 'Öffnen 👋',
      maxDevices: 3,
      furtherDevices: 'confirm',
      recoveryBy: 'one',
      userVerification: 'preferred',
      evidenceInEvents: 'on',
      showVotes: 'on',
      testUsers: 'off',
      longestLifetime: 86_400,
      openPerDevice: 20,
      eventsPerSecond: 2000,
      pushLimits: { ...defaultSettings.pushLimits, perDay: 7, notMePauseSeconds: 0 },
    });
  });

  test('are shown with their clients and targets', async () => {
    const { tenantId, clientId } = stack.file.tenants[1];
    const shown = await json('tenant', 'show', '--tenant', tenantId);
    expect(shown).toMatchObject({ tenantId, name: 'Neighbour', clients: [{ clientId, tenantId }] });
    expect(shown['targets']).toHaveLength(2);
  });

  test('pass a changed setting to the profile and every client, and keep the others', async () => {
    const { tenantId, clientId } = stack.file.tenants[1];
    const { err } = await omi(['tenant', 'set', '--tenant', tenantId, '--generic-text', 'Open the app']);
    expect(err).toContain('5 minutes');
    await json('tenant', 'set', '--tenant', tenantId, '--max-devices', '4');
    const settings = { ...localSettings, genericPushText: 'Open the app', maxDevices: 4 };
    await expect(directory().find(tenantId)).resolves.toMatchObject({ tenantId, settings });
    await expect(store().findByClient(clientId)).resolves.toMatchObject({ tenantId, settings });
    const { settings: without } = await json('tenant', 'set', '--tenant', tenantId, '--no-generic-text');
    expect(without).toEqual({ ...localSettings, maxDevices: 4 });
  });

  test('show and change user verification, and only its start for existing devices needs a confirmation', async () => {
    const tenantId = await newTenant(stack);
    const set = async (mode: string, ...args: string[]) =>
      await omi(['tenant', 'set', tenantId, '--user-verification', mode, ...args]);
    for (const mode of ['preferred', 'off']) expect(await set(mode)).toMatchObject({ code: 0 });
    const refused = await set('required');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('0 devices have no passkey');
    for (const args of [['--yes'], []]) expect(await set('required', ...args)).toMatchObject({ code: 0 });
    const { out } = await omi(['tenant', 'show', tenantId]);
    expect(out).toMatch(/^user verification +required$/m);
    expect(await set('sometimes')).toMatchObject({ code: 2, out: '' });
  });
}
