import { beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectProblem, retryAfterOf, succeeded } from '../expectations.ts';
import { enrolDevice, newUser, notification, pushesTo } from '../scenario.ts';

const refused = {
  'that is empty': '',
  '257 code points of 4 bytes each': '💳'.repeat(257),
  'with reordered digits': 'Pay \u200f1\u200f0\u200f0\u200f,\u200f9',
  'a number': 12,
};

export function pushRules(stack: TestStack): void {
  let device: SimulatedDevice;
  beforeAll(async () => {
    device = await enrolDevice(stack.website);
  });

  const send = async (to: SimulatedDevice, body: unknown) => {
    const path = `/omi/push/user/${to.identity.userId}/device/${to.identity.deviceId}`;
    return await stack.website.call({ method: 'POST', path, json: body }, v.unknown());
  };
  const sendMessage = async (message: unknown) => await send(device, { ...notification(), message });

  test.each(Object.entries(refused))('reject the message %s', async (_, message) => {
    expectFaults(await sendMessage(message), '/message');
  });

  test('send no push for a rejected request', async () => {
    expect(await pushesTo(stack, device.description.pushToken)).toEqual([]);
  });

  test('reject a user without a device', async () => {
    const answer = await stack.website.sendToUser(newUser(), notification());
    expectProblem(answer, 404, 'device-not-found');
  });

  test('require a device of the user', async () => {
    const { deviceId } = device.identity;
    const answer = await stack.website.sendToDevice(newUser(), deviceId, notification());
    expectProblem(answer, 404, 'device-not-found');
  });

  test('allow one open confirmation on a device', async () => {
    const busy = await enrolDevice(stack.website);
    const first = await send(busy, notification());
    succeeded(first, 202);
    const refused = await send(busy, notification({ expiresIn: 600 }));
    expectProblem(refused, 409, 'confirmation-pending');
    // What is left of the two minutes of the first one.
    expect(retryAfterOf(refused)).toBeLessThanOrEqual(120);
    expect(retryAfterOf(refused)).toBeGreaterThan(60);
    expect(await pushesTo(stack, busy.description.pushToken)).toHaveLength(1);
  });
}
