import { expect, test } from '@jest/globals';
import { webPushMessage } from '../../../../core/devices/push/web-push-message.ts';
import { BrowserSubscription } from '../../../support/browser-subscription.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
const now = Date.parse('2026-03-02T10:00:00.000Z');
const options = { appUrl: 'https://app.example', now };
const shown = { title: 'Bank', alert: 'Pay?', lifetimeSeconds: 120 };
const challenge = { challengeId: 'c'.repeat(43), expiresAt: '2026-03-02T10:02:00.000Z', ...shown };
const notice = {
  notice: 'device-added',
  deviceId: '0193ab52-6c1e-7d4a-9b1f-3e5c7a9d2b46',
  ...shown,
} as const;

/** RFC 8291, appendix A. */
test('the decryption in these tests decrypts the example of the standard', () => {
  const browser = new BrowserSubscription('https://push.example.net/push', {
    privateKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  });
  expect(browser.toJSON().keys.p256dh).toBe(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  );
  const body = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6' +
      'cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  expect(browser.decrypt(body)).toBe('When I grow up, I want to be a watermelon');
});

test('only the browser can decrypt a challenge', async () => {
  const browser = new BrowserSubscription();
  const { body, headers } = await webPushMessage(browser.toJSON(), challenge, options);
  expect(JSON.parse(browser.decrypt(Buffer.from(body)))).toEqual({
    web_push: 8030,
    notification: {
      title: 'Bank',
      body: 'Pay?',
      navigate: `https://app.example/#/challenge/${challenge.challengeId}`,
      tag: challenge.challengeId,
      data: { challengeId: challenge.challengeId, expiresAt: challenge.expiresAt },
    },
  });
  expect(headers).toMatchObject({ ttl: '120', urgency: 'high', topic: 'c'.repeat(32) });
  expect(() => new BrowserSubscription().decrypt(Buffer.from(body))).toThrow();
});

test('a notice opens the start page, and has no challenge', async () => {
  const browser = new BrowserSubscription();
  const { body, headers } = await webPushMessage(browser.toJSON(), notice, options);
  const { notification } = JSON.parse(browser.decrypt(Buffer.from(body))) as { notification: object };
  expect(notification).toMatchObject({
    navigate: 'https://app.example/#/',
    data: { notice: 'device-added', deviceId: notice.deviceId },
  });
  expect(headers['topic']).toMatch(/^[\w-]{32}$/);
});

test('the time to live is the remaining time, and never negative', async () => {
  const ttlAt = async (at: number) =>
    (await webPushMessage(new BrowserSubscription().toJSON(), challenge, { ...options, now: at })).headers[
      'ttl'
    ];
  expect(await ttlAt(now + 30_500)).toBe('89');
  expect(await ttlAt(now + 999_000)).toBe('0');
});

test('the longest message fits, and the length of a message does not show', async () => {
  const subscription = new BrowserSubscription().toJSON();
  for (const alert of ['x', '"'.repeat(1024), '€'.repeat(341)]) {
    const long = { ...challenge, title: '🏦'.repeat(128), alert };
    expect((await webPushMessage(subscription, long, options)).body).toHaveLength(4096);
  }
});
