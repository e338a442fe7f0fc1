import { expect, test } from '@jest/globals';
import { messageHashOf } from '../../../client/digests.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectMembers, expectTime, succeeded } from '../expectations.ts';
import { enrolDevice, notification, openChallenge, pushesTo } from '../scenario.ts';

const members = [
  'nonce',
  'challengeId',
  'tenantId',
  'userId',
  'deviceId',
  'messageHash',
  'context',
  'contextHash',
  'status',
  'delivery',
  'createdAt',
  'expiresAt',
  'interval',
  'userVerified',
];

export function acceptedPush(stack: TestStack): void {
  test('is answered 202 with the pending confirmation', async () => {
    const device = await enrolDevice(stack.website);
    const { userId, deviceId } = device.identity;
    const asked = notification();
    const answer = await stack.website.sendToDevice(userId, deviceId, asked);
    const confirmation = succeeded(answer, 202);
    expectMembers(confirmation, members);
    expect(confirmation).toMatchObject({
      nonce: asked.nonce,
      userId,
      deviceId,
      messageHash: messageHashOf(asked.message),
      status: 'pending',
      delivery: 'sent',
      interval: 1,
    });
    expect(answer.headers.get('retry-after')).toBe('1');
    for (const time of [confirmation.createdAt, confirmation.expiresAt]) expectTime(time);
    expect(Math.abs(Date.parse(confirmation.createdAt) - Date.now())).toBeLessThan(10_000);
  });

  test('goes to the only device if the path names none', async () => {
    const device = await enrolDevice(stack.website);
    const confirmation = succeeded(
      await stack.website.sendToUser(device.identity.userId, notification()),
      202,
    );
    expectMembers(confirmation, members);
    expect(confirmation.deviceId).toBe(device.identity.deviceId);
    expect((await openChallenge(device)).challengeId).toBe(confirmation.challengeId);
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
  });

  test('never shows the push token in an answer', async () => {
    const device = await enrolDevice(stack.website);
    const answer = await stack.website.sendToUser(device.identity.userId, notification());
    expect(answer.text).not.toContain(device.description.pushToken);
  });
}
