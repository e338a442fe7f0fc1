import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { ProfileStore } from '../../../cli/tenants/profile-store.ts';
import { TenantStore } from '../../../core/tenants/tenant-store.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import { type Fault, withFault } from '../../../tools/local/client/local-stack.ts';
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

  test('may share a name, with a warning', async () => {
    const name = `Bank ${randomUUID()}`;
    const first = await omi(['--json', 'tenant', 'create', '--name', name]);
    expect(first.err).toBe('');
    const { tenantId } = JSON.parse(first.out) as Tenant;
    const second = await omi(['tenant', 'create', '--name', name]);
    expect(second).toMatchObject({ code: 0 });
    expect(second.err).toContain(`the tenant ${tenantId} has the same name`);
  });

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

  test('cannot have a first pause above the longest, by either option', async () => {
    const create = ['tenant', 'create', '--name', 'Bank'];
    for (const option of [
      ['--pause-seconds', '3601'],
      ['--longest-pause-seconds', '299'],
    ]) {
      const { code, out, err } = await omi([...create, ...option]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain('--longest-pause-seconds');
    }
  });

  test('are created once when the same id is repeated, and another use of the id is rejected', async () => {
    const create = ['tenant', 'create', '--id', randomUUID(), '--name'];
    const first = await json(...create, 'Bank');
    const again = await omi(['--json', ...create, 'Bank']);
    expect({ code: again.code, tenant: JSON.parse(again.out) as unknown }).toEqual({
      code: 0,
      tenant: first,
    });
    const other = await omi([...create, 'Another']);
    expect(other).toMatchObject({ code: 1, out: '' });
  });

  test('are changed once even if AWS never answers, without an endless wait', async () => {
    const tenantId = await newTenant(stack);
    const lost: Fault = {
      ...{ service: 'dynamodb', operation: 'UpdateItem', resource: localTables.tenants },
      ...{ fault: 'timeout-after', times: 1 },
    };
    const set = ['tenant', 'set', '--tenant', tenantId, '--max-devices', '7'];
    const changed = await withFault(stack.file, lost, async () => await omi(['--json', ...set]));
    expect(changed.code).toBe(0);
    await expect(directory().find(tenantId)).resolves.toMatchObject({ settings: { maxDevices: 7 } });
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

  test('cannot recover users without any device under some rules, which gives a warning that doctor repeats', async () => {
    const tenantId = await newTenant(stack);
    const set = async (rule: string) =>
      (await omi(['tenant', 'set', '--tenant', tenantId, '--further-devices', rule])).err;
    const isDoctorWarning = async () => {
      const { ok, findings } = await json<{ ok: boolean; findings: Record<string, unknown>[] }>('doctor');
      expect(ok).toBe(true);
      return findings.some(
        ({ check, warning, subject }) =>
          check === 'recovery' && warning === true && String(subject).startsWith(tenantId),
      );
    };
    const client = async (name: string, ...scopes: string[]) =>
      await json('client', 'create', '--tenant', tenantId, '--name', name, '--scope', ...scopes);
    await client('website', 'all');
    expect(await set('notify')).not.toContain('recovery');
    expect(await isDoctorWarning()).toBe(false);
    expect(await set('confirm')).toContain('no client of the tenant has the scope for recovery');
    expect(await isDoctorWarning()).toBe(true);
    await client('help desk', 'credential:omi:enrol:qr:post', 'credential:omi:recovery');
    expect(await set('confirm')).not.toContain('recovery');
    expect(await isDoctorWarning()).toBe(false);
  });

  test("pass the profile's settings to clients that an interrupted change left behind", async () => {
    const { tenantId, clientId } = stack.file.tenants[1];
    const { settings } = await json('tenant', 'show', '--tenant', tenantId);
    await leaveBehind(stack, clientId);
    const { clients } = await json('tenant', 'set', '--tenant', tenantId);
    expect(clients).toBe(1);
    await expect(store().findByClient(clientId)).resolves.toEqual({
      tenantId,
      settings,
      tenantName: 'Neighbour',
      name: clientId,
    });
  });

  test('pass a new name to every client, including later ones', async () => {
    const tenantId = await newTenant(stack);
    const client = async (name: string) =>
      (await json<{ clientId: string }>('client', 'create', tenantId, '--name', name, '--scope', 'all'))
        .clientId;
    const before = await client('before');
    await json('tenant', 'set', tenantId, '--name', 'Bank of Zürich');
    const after = await client('after');
    for (const [clientId, name] of [
      [before, 'before'],
      [after, 'after'],
    ] as const)
      await expect(store().findByClient(clientId)).resolves.toMatchObject({
        tenantName: 'Bank of Zürich',
        name,
      });
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

async function leaveBehind(stack: TestStack, clientId: string): Promise<void> {
  await dynamodbOf(stack).send(
    new UpdateCommand({
      TableName: localTables.tenants,
      Key: { pk: `client#${clientId}`, sk: 'client' },
      UpdateExpression: 'SET settings = :old, tenantName = :former',
      ExpressionAttributeValues: { ':old': { numberMatching: 'type' }, ':former': 'Former name' },
    }),
  );
}
