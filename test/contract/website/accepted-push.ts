import { expect, test } from '@jest/globals';
import { challengeIdOf, messageHashOf } from '../../../tools/client/digests.ts';
import { readPush } from '../../../tools/local/client/push-payload.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectMembers, expectTime, succeeded } from '../expectations.ts';
import { enrolDevice, newUser, notification, openChallenge, poll, push, pushesTo } from '../scenario.ts';

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

/** Text that careless handling changes: combining marks, joined emoji, right-to-left, JSON's own signs. */
const messages = [
  'Zahlung von 12,50 € an Café Zoë bestätigen?',
  'e\u0301 is not \u00e9',
  '👩‍👩‍👧‍👦 🏳️‍🌈 💳 👍🏽',
  'تأكيد الدفع ١٢٫٥٠',
  'לאשר תשלום?',
  '"quotes" \\ back\\slash / <b>&amp;</b> ${x} %s {{y}}',
  'می\u200cخواهم بپردازم، क्\u200dष',
  '  spaces at both ends  ',
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

  test('has a challenge id that is the hash of tenant and nonce', async () => {
    const device = await enrolDevice(stack.website);
    const { challengeId, nonce } = await push(stack.website, device);
    expect(challengeId).toBe(challengeIdOf(stack.file.tenants[0].tenantId, nonce));
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

  test.each([
    [undefined, 120],
    [30, 30],
    [600, 600],
  ])('turns expiresIn %p into a lifetime of %i s', async (expiresIn, seconds) => {
    const device = await enrolDevice(stack.website);
    const sent = await push(stack.website, device, expiresIn === undefined ? {} : { expiresIn });
    expect(Date.parse(sent.expiresAt) - Date.parse(sent.createdAt)).toBe(seconds * 1000);
  });

  test.each(['fcm', 'apns', 'apns-sandbox'])(
    '%s: shows the message and names the challenge',
    async (platform) => {
      const device = await enrolDevice(stack.website, newUser(), { platform });
      const { challengeId, expiresAt, nonce } = await push(stack.website, device, { message: 'Log in? 🔐' });
      const arrived = await pushesTo(stack, device.description.pushToken);
      expect(arrived.map(readPush)).toEqual([{ alert: 'Log in? 🔐', challengeId, expiresAt }]);
      expect(JSON.stringify(arrived)).not.toContain(nonce);
      expect(JSON.stringify(arrived)).not.toContain('matchCode');
    },
  );

  test('tells FCM to hurry and to give up when the confirmation ends', async () => {
    const device = await enrolDevice(stack.website, newUser(), { platform: 'fcm' });
    await push(stack.website, device, { expiresIn: 77 });
    const [arrived] = await pushesTo(stack, device.description.pushToken);
    const payload: unknown =
      typeof arrived?.payload === 'string' ? JSON.parse(arrived.payload) : arrived?.payload;
    const android = expect.objectContaining({
      priority: expect.stringMatching(/^high$/i),
      ttl: expect.stringMatching(/^77(\.0+)?s$/),
    });
    const message = expect.objectContaining({ message: expect.objectContaining({ android }) });
    expect([payload, { fcmV1Message: payload }]).toContainEqual(
      expect.objectContaining({ fcmV1Message: message }),
    );
  });

  test.each(messages)('delivers %j byte for byte', async (message) => {
    const device = await enrolDevice(stack.website);
    const sent = await push(stack.website, device, { message });
    expect((await pushesTo(stack, device.description.pushToken)).map(readPush)).toMatchObject([
      { alert: message },
    ]);
    const challenge = await openChallenge(device);
    expect(challenge).toMatchObject({ message, messageHash: messageHashOf(message) });
    expect((await poll(stack.website, sent.nonce)).messageHash).toBe(messageHashOf(message));
  });

  test('never shows the push token in an answer', async () => {
    const device = await enrolDevice(stack.website);
    const answer = await stack.website.sendToUser(device.identity.userId, notification());
    expect(answer.text).not.toContain(device.description.pushToken);
  });
}
