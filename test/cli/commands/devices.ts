import { expect, test } from '@jest/globals';
import { challengedDevice, enrolDevice, expectStatus, newUser } from '../../contract/scenario.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { eventsIn } from './tables.ts';

export function devices(stack: TestStack): void {
  const json = jsonOn(stack);
  const of = (userId: string): string[] => ['--tenant', stack.file.tenants[0].tenantId, '--user', userId];

  test("lists a user's devices without their push tokens", async () => {
    const device = await enrolDevice(stack.website);
    const { userId, deviceId } = device.identity;
    const listed = await json('device', 'list', ...of(userId));
    expect(listed).toEqual({
      devices: [expect.objectContaining({ deviceId, platform: 'fcm', status: 'active' })],
    });
    const { out } = await omiOn(stack)(['device', 'list', ...of(userId)]);
    expect(out).toContain(deviceId);
    expect(out).not.toContain(device.description.pushToken);
    expect(await json('device', 'list', ...of(newUser()))).toEqual({ devices: [] });
  });

  test('removes a device with an event and cancels its open confirmation', async () => {
    const { device, sent } = await challengedDevice(stack.website);
    const { userId, deviceId } = device.identity;
    const remove = ['device', 'remove', ...of(userId), '--device', deviceId, '--yes'];
    await expect(json(...remove)).resolves.toEqual({ deviceId, removed: true });
    await expect(json('device', 'list', ...of(userId))).resolves.toEqual({ devices: [] });
    await expectStatus(stack.website, sent.nonce, 'cancelled', 'device_removed');
    const events = await eventsIn(stack, `${stack.file.tenants[0].tenantId}#${deviceId}`);
    expect(events.at(-1)?.metadata).toMatchObject({
      type: 'UserDeviceDeregisteredEvent',
      producerInstanceId: 'omi-cli',
    });
    await expect(json(...remove)).resolves.toEqual({ deviceId, removed: false });
  });

  test("cannot remove another tenant's device", async () => {
    const { identity } = await enrolDevice(stack.website);
    const { tenantId } = stack.file.tenants[1];
    const { userId, deviceId } = identity;
    const other = ['--tenant', tenantId, '--user', userId, '--device', deviceId, '--yes'];
    await expect(json('device', 'remove', ...other)).resolves.toEqual({ deviceId, removed: false });
    await expect(json('device', 'list', ...of(userId))).resolves.toEqual({
      devices: [expect.objectContaining({ deviceId })],
    });
  });
}
