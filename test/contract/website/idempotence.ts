import { expect, test } from '@jest/globals';
import type { Confirmation } from '../../../tools/client/contract.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  newUser,
  notification,
  openChallenge,
  poll,
  push,
  pushesTo,
  repeatedly,
  tryPush,
} from '../scenario.ts';

/** What two answers about one confirmation share, whatever became of it in between. */
const lasting = ({
  nonce,
  challengeId,
  userId,
  deviceId,
  messageHash,
  createdAt,
  expiresAt,
}: Confirmation) => {
  return { nonce, challengeId, userId, deviceId, messageHash, createdAt, expiresAt };
};

export function idempotence(stack: TestStack): void {
  test('returns the same answer for a repetition and sends no push', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification({ expiresIn: 60 });
    const first = succeeded(await tryPush(stack.website, device, sent), 202);
    const again = await repeatedly(3, async () => await tryPush(stack.website, device, sent));
    expect(first).not.toHaveProperty('repeated');
    for (const answer of again) expect(succeeded(answer, 202)).toEqual({ ...first, repeated: true });
    expect(await poll(stack.website, sent.nonce)).toEqual(first);
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
  });

  test('returns the decision with its evidence for a later repetition', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    succeeded(await device.confirm(challenge), 200);
    const answer = await tryPush(stack.website, device, { nonce: sent.nonce });
    const repeated = succeeded(answer, 202);
    expect(repeated).toEqual({ ...(await poll(stack.website, sent.nonce)), repeated: true });
    expect(repeated.status).toBe('confirmed');
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
  });

  test('leads to the same confirmation from the other endpoint', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification();
    const first = await push(stack.website, device, sent);
    const second = succeeded(await stack.website.sendToUser(device.identity.userId, sent), 202);
    expect(lasting(second)).toEqual(lasting(first));
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
  });

  test('treats another purpose as a different push', async () => {
    const device = await enrolDevice(stack.website);
    const without = notification();
    const sent = { ...without, purpose: 'add-device' as const };
    const first = await push(stack.website, device, sent);
    expect(lasting(await push(stack.website, device, sent))).toEqual(lasting(first));
    const { userId } = device.identity;
    const removal = { purpose: 'remove-device', subjectDeviceId: device.identity.deviceId } as const;
    for (const other of [without, { ...sent, ...removal }])
      expectProblem(await stack.website.sendToUser(userId, other), 409, 'nonce-already-used');
  });

  test('repeats a push without a device even after the user got another device', async () => {
    const device = await enrolDevice(stack.website);
    const { userId } = device.identity;
    const sent = notification();
    const send = async (asked = sent) => await stack.website.sendToUser(userId, asked);
    const first = succeeded(await send(), 202);
    const other = await enrolDevice(stack.website, userId);
    expect(succeeded(await send(), 202)).toEqual({ ...first, repeated: true });
    succeeded(await device.confirm(await openChallenge(device)), 200);
    expect(succeeded(await send(), 202)).toMatchObject({ status: 'confirmed', repeated: true });
    expectProblem(await send({ ...sent, message: 'Another message' }), 409, 'device-choice-required');
    expectProblem(await send(notification()), 409, 'device-choice-required');
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
    expect(await pushesTo(stack, other.description.pushToken)).toEqual([]);
  });

  test('rejects another message or lifetime with 409', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification({ expiresIn: 60 });
    await push(stack.website, device, sent);
    for (const change of [{ message: 'Another message' }, { expiresIn: 61 }])
      expectProblem(await tryPush(stack.website, device, { ...sent, ...change }), 409, 'nonce-already-used');
  });

  test('rejects another user or device with 409', async () => {
    const userId = newUser();
    const sent = notification();
    await push(stack.website, await enrolDevice(stack.website, userId), sent);
    for (const other of [await enrolDevice(stack.website, userId), await enrolDevice(stack.website)]) {
      expectProblem(await tryPush(stack.website, other, sent), 409, 'nonce-already-used');
      expect(await pushesTo(stack, other.description.pushToken)).toEqual([]);
    }
  });
}
