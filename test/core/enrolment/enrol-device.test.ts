import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { FurtherDevicesPolicyStore } from '../../../core/tenants/further-devices-policy-store.ts';
import { DeviceStore } from '../../../core/devices/device-store.ts';
import { EnrolmentStore } from '../../../core/enrolment/enrolment-store.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { Outbox } from '../../../core/events/outbox-writer.ts';
import type { DeviceKey } from '../../../core/devices/device.ts';
import { enrolmentIdOf, newCode } from '../../../core/enrolment/enrolment.ts';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { enrolDevice } from '../../../core/enrolment/enrol-device.ts';
import { testDatabase } from '../../support/dynamodb.ts';
import { startLocalSns, type LocalSns } from '../../support/local-sns.ts';
import { relyingParty } from '../../support/relying-party.ts';
import { nativeOnly } from '../../support/push-channels.ts';

const now = Date.UTC(2026, 0, 1);
const minute = 60_000;
const origin = { traceId: 'trace' };

let client: DynamoDBDocumentClient;
let sns: LocalSns;
beforeAll(async () => {
  [client, sns] = await Promise.all([testDatabase(), startLocalSns()]);
  const Item = { ...tenantKeys.profile(tenantId), tenantId, settings: defaultSettings };
  await client.send(new PutCommand({ TableName: 'tenants', Item }));
});
afterAll(async () => {
  await sns.close();
});

const tenantId = randomUUID();

const key = (x: string): DeviceKey => ({ kty: 'EC', crv: 'P-256', x, y: 'y' });

/** One user, invited with a code that is made at `now`. */
function invited({ maxDevices = 5, userId = randomUUID() } = {}) {
  const devices = new DeviceStore(client, 'devices');
  const enrolments = new EnrolmentStore(client, 'enrolments');
  const outbox = new Outbox(client, 'events', { instanceId: 'test', version: '1' });
  const policies = new FurtherDevicesPolicyStore(client, 'tenants');
  const invite = async (): Promise<string> => {
    const code = newCode();
    const expiresAt = now + 10 * minute;
    const enrolmentId = enrolmentIdOf(code);
    await enrolments.create({ enrolmentId, tenantId, clientId: 'c', userId, maxDevices, expiresAt });
    return code;
  };
  const apply = async (code: string, x: string, at = now) =>
    await enrolDevice(
      { devices, enrolments, policies, outbox, push: nativeOnly(sns.push), relyingParty },
      {
        code,
        key: key(x),
        description: { name: 'Phone', platform: 'fcm', pushToken: `token-${userId}-${x}` },
        passkey: undefined,
        context: { now: at, origin },
      },
    );
  return { devices, invite, apply, user: { tenantId, userId } };
}

describe('an enrolment code', () => {
  test('makes one device; the same key gets the same response again, also after the expiry', async () => {
    const { invite, apply, devices, user } = invited();
    const code = await invite();
    const enrolled = await apply(code, 'a');
    expect(await apply(code, 'a', now + 60 * minute)).toEqual(enrolled);
    await expect(apply(code, 'b')).rejects.toMatchObject({ code: 'enrolment-code-used' });
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
    await expect(apply(await invite(), 'a', now + 10 * minute - 1)).resolves.toBeDefined();
    const late = await invite();
    await expect(apply(late, 'b', now + 10 * minute)).rejects.toMatchObject({
      code: 'enrolment-code-expired',
    });
    const forgotten = now + 10 * minute + 24 * 60 * minute;
    await expect(apply(late, 'b', forgotten)).rejects.toMatchObject({ code: 'enrolment-not-found' });
  });

  test('stays usable if the user has the maximum number of devices, also under concurrency', async () => {
    const { invite, apply, devices, user } = invited({ maxDevices: 2 });
    await apply(await invite(), 'a');
    const [one, other] = [await invite(), await invite()];
    const rivals = await Promise.allSettled([apply(one, 'b'), apply(other, 'c')]);
    expect(rivals.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'too-many-devices' },
    });
    const { devices: owned } = await devices.loadUser(user);
    expect(owned).toHaveLength(2);
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
