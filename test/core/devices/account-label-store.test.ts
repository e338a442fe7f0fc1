import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { transact } from '../../../core/aws/dynamodb-client.ts';
import { AccountLabelStore } from '../../../core/devices/account-label-store.ts';
import { DeviceStore } from '../../../core/devices/device-store.ts';
import { emptyHistory } from '../../../core/devices/push-history.ts';
import { suspensionWrites } from '../../../core/devices/suspension.ts';
import { ConflictError } from '../../../core/kernel/conflict-error.ts';
import { testDatabase } from '../../support/dynamodb.ts';

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await testDatabase();
});

function someone() {
  const devices = new DeviceStore(client, 'devices');
  const labels = new AccountLabelStore(client, 'devices', devices);
  const user = { tenantId: randomUUID(), userId: 'alice' };
  return { devices, labels, user };
}

describe('the label of an account', () => {
  test('creates the record of a user who has none, also when it is removed', async () => {
    const { devices, labels, user } = someone();
    await labels.set(user, undefined, 1);
    const removed = { devices: [], version: 1, history: { ...emptyHistory, accountLabelAt: 1 } };
    expect(await devices.loadUser(user)).toEqual(removed);
    await labels.set(user, 'Anna', 2);
    expect(await devices.loadUser(user)).toEqual({
      devices: [],
      version: 2,
      history: { ...emptyHistory, accountLabel: 'Anna', accountLabelAt: 2 },
    });
  });

  test('keeps the rest of the record, and makes concurrent readers read it again', async () => {
    const { devices, labels, user } = someone();
    const history = { ...emptyHistory, sentAt: [7], unsuccessfulInARow: 2 };
    await transact(client, [devices.saveHistory(user, { history, version: 0 }, history)]);
    const read = await devices.loadUser(user);
    await labels.set(user, 'Anna', 1);
    const labelled = await devices.loadUser(user);
    expect(labelled.history).toEqual({ ...history, accountLabel: 'Anna', accountLabelAt: 1 });
    await expect(transact(client, [devices.saveHistory(user, read, history)])).rejects.toThrow();
    await transact(client, [devices.saveHistory(user, labelled, labelled.history)]);
    await labels.set(user, undefined, 2);
    expect((await devices.loadUser(user)).history).toEqual({ ...history, accountLabelAt: 2 });
  });

  test('is refused for a user without a record while the tenant is suspended', async () => {
    const { devices, labels, user } = someone();
    await transact(client, suspensionWrites('devices', user.tenantId));
    await expect(labels.set(user, 'Anna', 1)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await devices.loadUser(user)).toMatchObject({ version: 0 });
  });

  test('conflicts with a record that is created at the same time', async () => {
    const { devices, labels, user } = someone();
    const saveHistory = devices.saveHistory.bind(devices);
    devices.saveHistory = (of, read, history) => saveHistory(of, { ...read, version: 3 }, history);
    await expect(labels.set(user, 'Anna', 1)).rejects.toThrow(ConflictError);
  });
});
