import { expect, test } from '@jest/globals';
import { postAnswer } from '../../../client/device/device-api.ts';
import { newPushToken } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  listed,
  newUser,
  notification,
  tryPush,
} from '../scenario.ts';

export function removal(stack: TestStack): void {
  test('deletes the device', async () => {
    const device = await enrolDevice(stack.website);
    const { userId } = device.identity;
    succeeded(await device.remove(), 204);
    expect(succeeded(await stack.website.listDevices(userId), 200)).toEqual({ devices: [] });
    expectProblem(await tryPush(stack.website, device), 404, 'device-not-found');
    expectProblem(await stack.website.sendToUser(userId, notification()), 404, 'device-not-found');
  });

  test('ends all access of the device', async () => {
    const { device, challenge } = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, { decision: 'confirm' });
    succeeded(await device.remove(), 204);
    const { baseUrl } = device.identity;
    expectProblem(await device.challenges(), 401, 'invalid-signature');
    expectProblem(await postAnswer(baseUrl, challenge.challengeId, jws), 401, 'invalid-signature');
    expectProblem(await device.refreshPushToken(newPushToken()), 401, 'invalid-signature');
    expectProblem(await device.remove(), 401, 'invalid-signature');
  });

  test('cancels its open confirmation', async () => {
    const { device, sent } = await challengedDevice(stack.website);
    succeeded(await device.remove(), 204);
    await expectStatus(stack.website, sent.nonce, 'cancelled', 'device_removed');
  });

  test("leaves the user's other devices", async () => {
    const userId = newUser();
    const [gone, kept] = [await enrolDevice(stack.website, userId), await enrolDevice(stack.website, userId)];
    succeeded(await gone.remove(), 204);
    expect(await listed(stack.website, kept)).toMatchObject({ status: 'active' });
    succeeded(await stack.website.sendToUser(userId, notification()), 202);
  });
}
