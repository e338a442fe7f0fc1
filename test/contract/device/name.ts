import { expect, test } from '@jest/globals';
import { putName } from '../../../client/device/device-api.ts';
import { newPushToken, type SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice } from '../scenario.ts';

export function naming(stack: TestStack): void {
  const nameOf = async ({ identity: { userId, deviceId } }: SimulatedDevice) => {
    const { devices } = succeeded(await stack.website.listDevices(userId), 200);
    return devices.find((device) => device.deviceId === deviceId)?.name;
  };

  test('is changed by the device, and the website lists it', async () => {
    const device = await enrolDevice(stack.website);
    succeeded(await device.rename('Küche 🍳'), 204);
    expect(await nameOf(device)).toBe('Küche 🍳');
    succeeded(await device.rename('Kitchen'), 204);
    succeeded(await device.refreshPushToken(newPushToken()), 204);
    expect(await nameOf(device)).toBe('Kitchen');
  });

  test('keeps its value and answers 409 if a message is older than the last accepted one', async () => {
    const device = await enrolDevice(stack.website);
    const iat = Math.floor(Date.now() / 1000);
    const jws = device.sign('omi-device-name+jws', { name: 'First' }, { claims: { iat: iat - 10 } });
    succeeded(await putName(device.identity.baseUrl, jws), 204);
    succeeded(await device.rename('Second', { claims: { iat } }), 204);
    expectProblem(await putName(device.identity.baseUrl, jws), 409, 'stale-request');
    expect(await nameOf(device)).toBe('Second');
  });
}
