import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ConditionsFailed, transact } from '../../../../core/aws/dynamodb-client.ts';
import type { NativeDevice } from '../../../../core/devices/device.ts';
import { DeviceStore } from '../../../../core/devices/device-store.ts';
import { ConflictError } from '../../../../core/kernel/conflict-error.ts';
import { testDatabase } from '../../../support/dynamodb.ts';
import { anyReceipt } from '../../../support/receipts.ts';

let client: DynamoDBDocumentClient;
let devices: DeviceStore;

beforeAll(async () => {
  client = await testDatabase();
  devices = new DeviceStore(client, 'devices');
});

const key = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } as const;

async function addDevice(counter: number): Promise<NativeDevice> {
  const device: NativeDevice = {
    ...{ tenantId: randomUUID(), userId: 'alice', deviceId: randomUUID() },
    ...{ name: 'Phone', platform: 'fcm', status: 'active', enrolledAt: 1, key, receipt: anyReceipt },
    ...{ pushToken: 'token', endpointArn: 'arn' },
    passkey: { id: 'id', rpId: 'localhost', key, counter },
    passkeySynced: false,
  };
  await transact(client, devices.add(device));
  return device;
}

const counterOf = async (device: NativeDevice) => (await devices.find(device))?.passkey?.counter;
const advance = async (device: NativeDevice, counter: number) => {
  await transact(client, [devices.advanceCounter(device, counter)]);
};

describe('the counter of a passkey', () => {
  test('only grows, and leaves the rest of the device unchanged', async () => {
    const device = await addDevice(5);
    await advance(device, 6);
    expect(await devices.find(device)).toEqual({ ...device, passkey: { ...device.passkey, counter: 6 } });
    for (const counter of [6, 5, 1])
      await expect(advance(device, counter)).rejects.toBeInstanceOf(ConditionsFailed);
    expect(await counterOf(device)).toBe(6);
  });

  test('is written by one of two concurrent writers with the same counter', async () => {
    const device = await addDevice(0);
    const results = await Promise.allSettled([advance(device, 1), advance(device, 1)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('is not reset by a new push token for a device that was read before', async () => {
    const read = await addDevice(1);
    await advance(read, 2);
    const after = { ...read, pushToken: 'another token' };
    await expect(devices.replace(read, after)).rejects.toBeInstanceOf(ConflictError);
    expect(await counterOf(read)).toBe(2);
    const again = await devices.find(read);
    if (again?.platform !== 'fcm') throw new Error('The device is gone');
    await devices.replace(again, { ...again, pushToken: 'another token' });
    expect(await devices.find(read)).toMatchObject({ pushToken: 'another token', passkey: { counter: 2 } });
  });

  test('is not written for a removed device', async () => {
    const device = { ...(await addDevice(1)), deviceId: randomUUID() };
    await expect(advance(device, 2)).rejects.toBeInstanceOf(ConditionsFailed);
    expect(await devices.find(device)).toBeUndefined();
  });
});
