import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { BrandStore } from '../../../core/tenants/brand-store.ts';
import { FurtherDevicesPolicyStore } from '../../../core/tenants/further-devices-policy-store.ts';
import { AccountLabelStore } from '../../../core/devices/account-label-store.ts';
import { DeviceStore } from '../../../core/devices/device-store.ts';
import { EnrolmentStore } from '../../../core/enrolment/enrolment-store.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { Outbox } from '../../../core/events/outbox-writer.ts';
import type { NativeDevice } from '../../../core/devices/device.ts';
import type { DeviceKey } from '../../../core/devices/device-key.ts';
import { enrolmentIdOf, newCode, type Enrolment } from '../../../core/enrolment/enrolment.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import type { FurtherDevicesPolicy } from '../../../core/tenants/further-devices-policy.ts';
import type { Registration } from '../../../core/devices/passkeys/registration.ts';
import { resumptionWrites, suspensionWrites } from '../../../core/devices/suspension.ts';
import { ConditionsFailed, transact } from '../../../core/aws/dynamodb-client.ts';
import { SoftwareAuthenticator } from '../../../client/device/software-authenticator.ts';
import { previewEnrolment } from '../../../core/enrolment/preview-enrolment.ts';
import { enrolDevice } from '../../../core/enrolment/enrol-device.ts';
import { testDatabase } from '../../support/dynamodb.ts';
import { startLocalSns, type LocalSns } from '../../support/local-sns.ts';
import { relyingParty } from '../../support/relying-party.ts';
import { nativeOnly } from '../../support/push-channels.ts';
import { anyReceipt, receiptDeps } from '../../support/receipts.ts';

const now = Date.UTC(2026, 0, 1);
const minute = 60_000;
const origin = { traceId: 'trace' };

let client: DynamoDBDocumentClient;
let sns: LocalSns;
beforeAll(async () => {
  [client, sns] = await Promise.all([testDatabase(), startLocalSns()]);
  await createTenant(tenantId, defaultSettings);
});
afterAll(async () => {
  await sns.close();
});

const tenantId: string = randomUUID();

async function createTenant(id: string, settings: TenantSettings): Promise<void> {
  const Item = { ...tenantKeys.profile(id), tenantId: id, name: 'Bank', settings };
  await client.send(new PutCommand({ TableName: 'tenants', Item }));
}

/** A tenant with another policy than the usual one. */
async function tenantWith(furtherDevices: FurtherDevicesPolicy): Promise<{ tenantId: string }> {
  const id = randomUUID();
  await createTenant(id, { ...defaultSettings, furtherDevices });
  return { tenantId: id };
}

const key = (x: string): DeviceKey => ({ kty: 'EC', crv: 'P-256', x, y: 'y' });

type Applied = { at?: number; y?: string; passkey?: Registration };

/** One user, invited with a code that is made at `now`. */
function invited({
  maxDevices = 5,
  userId = randomUUID(),
  tenantId: id = tenantId,
}: { maxDevices?: number; userId?: string; tenantId?: string } = {}) {
  const devices = new DeviceStore(client, 'devices');
  const enrolments = new EnrolmentStore(client, 'enrolments');
  const outbox = new Outbox(client, 'events', { instanceId: 'test', version: '1' });
  const policies = new FurtherDevicesPolicyStore(client, 'tenants');
  const user = { tenantId: id, userId };
  const invite = async (more: Partial<Enrolment> = {}): Promise<string> => {
    const code = newCode();
    const expiresAt = now + 10 * minute;
    const enrolmentId = enrolmentIdOf(code);
    const enrolment = { enrolmentId, ...user, tenantName: 'Bank', clientId: 'c', maxDevices, expiresAt };
    await enrolments.create({ ...enrolment, ...more });
    return code;
  };
  const deps = {
    devices,
    enrolments,
    policies,
    outbox,
    push: nativeOnly(sns.push),
    relyingParty,
    ...receiptDeps,
  };
  const apply = async (code: string, x: string, { at = now, y = 'y', passkey }: Applied = {}) =>
    await enrolDevice(deps, {
      code,
      key: { ...key(x), y },
      description: { name: 'Phone', platform: 'fcm', pushToken: `token-${userId}-${x}` },
      passkey,
      context: { now: at, origin },
    });
  const brands = new BrandStore(client, 'tenants');
  const preview = async (code: string, at = now) =>
    await previewEnrolment({ ...deps, brands, baseUrl: 'https://omi.example' }, code, at);
  const suspend = async () => await transact(client, suspensionWrites('devices', id));
  const resume = async () => await transact(client, resumptionWrites('devices', id));
  const owned = async () => (await devices.loadUser(user)).devices;
  return { devices, enrolments, invite, preview, apply, user, suspend, resume, owned };
}

describe('an enrolment code', () => {
  test('makes one device; the same key gets the same response again, also after the expiry', async () => {
    const { invite, apply, devices, user } = invited();
    const code = await invite();
    const enrolled = await apply(code, 'a');
    expect(await apply(code, 'a', { at: now + 60 * minute })).toEqual(enrolled);
    const used = { code: 'enrolment-code-used' };
    await expect(apply(code, 'b')).rejects.toMatchObject(used);
    await expect(apply(code, 'a', { y: 'another' })).rejects.toMatchObject(used);
    expect((await devices.loadUser(user)).devices).toHaveLength(1);
  });

  test('makes one device for concurrent requests', async () => {
    const { invite, apply, devices, user } = invited();
    const code = await invite();
    const same = await Promise.all([apply(code, 'a'), apply(code, 'a'), apply(code, 'a')]);
    expect(new Set(same.map(({ deviceId }) => deviceId)).size).toBe(1);
    expect((await devices.loadUser(user)).devices).toHaveLength(1);

    const contested = await invite();
    const rivals = await Promise.allSettled([apply(contested, 'b'), apply(contested, 'c')]);
    expect(rivals.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('is valid in its last millisecond, expired after 10 minutes, and unknown a day later', async () => {
    const { invite, apply } = invited();
    await expect(apply(await invite(), 'a', { at: now + 10 * minute - 1 })).resolves.toBeDefined();
    const late = await invite();
    await expect(apply(late, 'b', { at: now + 10 * minute })).rejects.toMatchObject({
      code: 'enrolment-code-expired',
    });
    const forgotten = now + 10 * minute + 24 * 60 * minute;
    await expect(apply(late, 'b', { at: forgotten })).rejects.toMatchObject({ code: 'enrolment-not-found' });
  });

  test('stays usable if the user has the maximum number of devices', async () => {
    const { invite, apply, devices, owned } = invited({ maxDevices: 1 });
    await apply(await invite(), 'a');
    const code = await invite();
    await expect(apply(code, 'b')).rejects.toMatchObject({ code: 'too-many-devices' });
    const [first] = await owned();
    if (!first) throw new Error('There is no device');
    await transact(client, devices.remove(first, undefined));
    await expect(apply(code, 'b')).resolves.toBeDefined();
    expect(await owned()).toHaveLength(1);
  });

  test('replaces earlier codes, except for the device that one of them made', async () => {
    const { invite, apply, owned } = invited();
    const used = await invite();
    const enrolled = await apply(used, 'a');
    const [older, latest] = [await invite(), await invite()];
    const expired = { code: 'enrolment-code-expired' };
    await expect(apply(older, 'b')).rejects.toMatchObject(expired);
    await expect(apply(latest, 'b')).resolves.toBeDefined();
    await expect(apply(older, 'c')).rejects.toMatchObject(expired);
    expect(await apply(used, 'a')).toEqual(enrolled);
    expect(await owned()).toHaveLength(2);
  });

  test('replaces no code of another user, even if the ids differ only in case', async () => {
    const [one, other] = [invited({ userId: 'Ärger#1' }), invited({ userId: 'ärger#1' })];
    const code = await one.invite();
    await other.invite();
    await expect(one.apply(code, 'a')).resolves.toBeDefined();
  });

  test('stays usable after a push token that SNS rejects', async () => {
    const { invite, apply } = invited();
    const code = await invite();
    const { id } = sns.faults.add({ service: 'sns', fault: 'unavailable' });
    await expect(apply(code, 'a')).rejects.toThrow();
    sns.faults.remove(id);
    await expect(apply(code, 'a')).resolves.toMatchObject({ tenantId });
  });
});

describe('a suspended tenant', () => {
  const notFound = { code: 'enrolment-not-found' };

  test('has no codes until it is resumed', async () => {
    const { invite, apply, suspend, resume } = invited(await tenantWith('notify'));
    const code = await invite();
    await suspend();
    await expect(apply(code, 'a')).rejects.toMatchObject(notFound);
    await resume();
    await expect(apply(code, 'a')).resolves.toBeDefined();
  });

  test('gets no device from a request that was being processed at its suspension', async () => {
    const { invite, apply, suspend, devices, owned } = invited(await tenantWith('notify'));
    const loadUser = devices.loadUser.bind(devices);
    devices.loadUser = async (user) => {
      await suspend();
      return await loadUser(user);
    };
    await expect(apply(await invite(), 'a')).rejects.toMatchObject(notFound);
    expect(await owned()).toEqual([]);
  });
});

describe('the label of an account', () => {
  test.each([
    ['was made after the label was set', -1, 'Anna', 'Secret Name'],
    ['was made after the label was removed', -1, undefined, 'Secret Name'],
    ['was made before the label was set', 1, 'Anna', 'Anna'],
    ['was made before the label was removed', 1, undefined, undefined],
  ])('is that of the later instruction if the code %s', async (_, saidAfter, said, expected) => {
    const { devices, invite, preview, apply, user } = invited();
    const code = await invite({ accountLabel: 'Secret Name' });
    await new AccountLabelStore(client, 'devices', devices).set(user, said, now + saidAfter);
    expect((await preview(code)).account).toBe(expected);
    for (const answer of [await apply(code, 'a'), await apply(code, 'a')])
      expect(answer.account).toBe(expected);
    expect((await devices.loadUser(user)).history.accountLabel).toBe(expected);
  });

  test('is the one that was set after the code was redeemed, also for a repeated request', async () => {
    const { devices, invite, apply, user } = invited();
    const code = await invite({ accountLabel: 'Secret Name' });
    await apply(code, 'a');
    await new AccountLabelStore(client, 'devices', devices).set(user, undefined, now + 1);
    expect(await apply(code, 'a')).not.toHaveProperty('account');
  });
});

describe('a preview', () => {
  const notFound = { code: 'enrolment-not-found' };

  test('names the user of the code until the code expires', async () => {
    const { invite, preview } = invited();
    const code = await invite({ accountLabel: 'Anna', userVerification: 'required' });
    const expected = {
      tenant: 'Bank',
      account: 'Anna',
      expiresAt: new Date(now + 10 * minute).toISOString(),
      userVerification: 'required',
    };
    expect(await preview(code, now + 10 * minute - 1)).toEqual(expected);
    const expired = { code: 'enrolment-code-expired', message: expect.not.stringContaining('Anna') };
    await expect(preview(code, now + 10 * minute)).rejects.toMatchObject(expired);
    await expect(preview(code, now + (10 + 24 * 60) * minute)).rejects.toMatchObject(notFound);
  });

  test('reports that the code was used, also after the expiry', async () => {
    const { invite, preview, apply } = invited();
    const code = await invite();
    await apply(code, 'a');
    const used = { code: 'enrolment-code-used' };
    await expect(preview(code)).rejects.toMatchObject(used);
    await expect(preview(code, now + 60 * minute)).rejects.toMatchObject(used);
  });

  test('finds no code of a suspended tenant', async () => {
    const { invite, preview, apply, suspend, resume } = invited(await tenantWith('notify'));
    const used = await invite();
    await apply(used, 'a');
    const open = await invite();
    await suspend();
    for (const code of [open, used]) await expect(preview(code)).rejects.toMatchObject(notFound);
    await resume();
    await expect(preview(open)).resolves.toMatchObject({ tenant: 'Bank' });
  });
});

describe('a further device', () => {
  const recovery = { authorization: { by: 'recovery' } } as const;
  const required = { code: 'confirmation-required' };

  test('needs a confirmed code if the tenant requires it', async () => {
    const { invite, apply, owned } = invited(await tenantWith('confirm'));
    const { deviceId } = await apply(await invite(), 'a');
    await expect(apply(await invite(), 'b')).rejects.toMatchObject(required);
    const by = (confirmedOn: string) =>
      ({ authorization: { by: 'confirmation', challengeId: 'c', deviceId: confirmedOn } }) as const;
    await expect(apply(await invite(by('removed')), 'b')).rejects.toMatchObject(required);
    await expect(apply(await invite(by(deviceId)), 'b')).resolves.toBeDefined();
    await expect(apply(await invite(recovery), 'c')).resolves.toBeDefined();
    expect(await owned()).toHaveLength(3);
  });

  test.each([
    ['free', 0],
    ['notify', 1],
    ['confirm', 1],
  ] as const)('is announced, with the policy %s, to %i other devices', async (policy, told) => {
    const { invite, apply, owned } = invited(await tenantWith(policy));
    await apply(await invite(), 'a');
    const [first] = await owned();
    await apply(await invite(recovery), 'b');
    const { endpointArn } = first as NativeDevice;
    const pushes = sns.pushes.list().filter((push) => push.endpointArn === endpointArn);
    expect(pushes).toHaveLength(told);
  });
});

describe('a passkey', () => {
  const { rpId, origins } = relyingParty;
  const authenticator = new SoftwareAuthenticator({ rpId, origin: origins[0] ?? '' });

  test('is recorded with the device if it was created for the code', async () => {
    const { invite, apply, owned } = invited();
    const code = await invite();
    const passkey = authenticator.create(code);
    await apply(code, 'a', { passkey });
    expect(await owned()).toMatchObject([{ passkey: { id: passkey.id } }]);
  });

  test('is refused if it belongs to another code', async () => {
    const { invite, apply, owned } = invited();
    const passkey = authenticator.create(newCode());
    await expect(apply(await invite(), 'a', { passkey })).rejects.toMatchObject({
      code: 'user-verification-failed',
    });
    expect(await owned()).toEqual([]);
  });

  test.each([
    ['required', false],
    ['preferred', true],
    [undefined, true],
  ] as const)('may be absent with the setting %s: %s', async (userVerification, mayBe) => {
    const { invite, apply, owned } = invited();
    const code = await invite(userVerification && { userVerification });
    const refusal = await apply(code, 'a').then(
      () => undefined,
      (error: unknown) => error,
    );
    if (mayBe) expect(refusal).toBeUndefined();
    else expect(refusal).toMatchObject({ code: 'user-verification-required' });
    expect(await owned()).toHaveLength(mayBe ? 1 : 0);
  });
});

test('an enrolment is completed once, and only if it exists', async () => {
  const { invite, enrolments, apply, user } = invited();
  const code = await invite();
  const complete = async (id: string) => {
    const device = { ...user, deviceId: 'other', name: 'Phone', platform: 'web', status: 'active' } as const;
    const enrolled = { enrolledAt: now, key: key('other'), receipt: anyReceipt };
    await transact(client, [enrolments.complete(id, { ...device, ...enrolled })]);
  };
  await expect(complete(enrolmentIdOf(newCode()))).rejects.toThrow(ConditionsFailed);
  await apply(code, 'a');
  await expect(complete(enrolmentIdOf(code))).rejects.toThrow(ConditionsFailed);
  expect((await enrolments.find(enrolmentIdOf(code), now))?.completed?.key).toEqual(key('a'));
});
