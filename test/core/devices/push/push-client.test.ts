import {
  CreatePlatformEndpointCommand,
  DeleteEndpointCommand,
  GetEndpointAttributesCommand,
  SetEndpointAttributesCommand,
} from '@aws-sdk/client-sns';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PushClient } from '../../../../core/devices/push/push-client.ts';
import type { PushContent } from '../../../../core/devices/push/push-payload.ts';
import { nativePlatforms } from '../../../../core/devices/device.ts';
import { startLocalSns, type LocalSns } from '../../../support/local-sns.ts';

const content: PushContent = {
  challengeId: 'the-challenge',
  expiresAt: '2026-01-01T00:02:00.000Z',
  title: 'Bank',
  alert: 'Pay 5 € to "Zoë" 😀?',
  lifetimeSeconds: 120,
};

let sns: LocalSns;
beforeAll(async () => {
  sns = await startLocalSns();
});
afterAll(async () => {
  await sns.close();
});

const lastPush = () => sns.pushes.list().at(-1);

const attributesOf = async (endpointArn: string) =>
  (await sns.client.send(new GetEndpointAttributesCommand({ EndpointArn: endpointArn }))).Attributes;

describe('a push', () => {
  test('has data, visible text, high priority and the lifetime for Android', async () => {
    const endpointArn = await sns.push.enableEndpoint('fcm', 'token-of-android');
    expect(await sns.push.publish(endpointArn, 'fcm', content)).toEqual({ delivery: 'sent' });
    expect(lastPush()).toMatchObject({ platform: 'fcm', token: 'token-of-android', endpointArn });
    expect(JSON.stringify(lastPush()?.payload)).toContain(JSON.stringify(content.alert));
    expect(lastPush()?.payload).toMatchObject({
      message: {
        notification: { body: content.alert },
        data: { challengeId: 'the-challenge', expiresAt: content.expiresAt },
        android: { priority: 'high', ttl: '120s' },
      },
    });
  });

  test.each(['apns', 'apns-sandbox'] as const)(
    'has data, visible text, high priority and the lifetime for %s',
    async (platform) => {
      const endpointArn = await sns.push.enableEndpoint(platform, `token-of-${platform}`);
      expect(await sns.push.publish(endpointArn, platform, content)).toEqual({ delivery: 'sent' });
      expect(lastPush()).toMatchObject({
        platform,
        payload: {
          aps: { alert: { body: content.alert } },
          challengeId: 'the-challenge',
          expiresAt: content.expiresAt,
        },
        headers: { 'apns-priority': '10', 'apns-push-type': 'alert' },
      });
    },
  );

  test('fits the limits of every platform with the longest message', async () => {
    const longest = { ...content, alert: '"\\'.repeat(128) };
    for (const platform of nativePlatforms) {
      const endpointArn = await sns.push.enableEndpoint(platform, `token-long-${platform}`);
      expect(await sns.push.publish(endpointArn, platform, longest)).toEqual({ delivery: 'sent' });
      const widest = { ...content, alert: '😀'.repeat(256) };
      expect(await sns.push.publish(endpointArn, platform, widest)).toEqual({ delivery: 'sent' });
    }
  });
});

describe('a notice', () => {
  const notice = {
    notice: 'device-added',
    deviceId: 'another',
    title: 'Bank',
    alert: 'A device was added.',
    lifetimeSeconds: 86_400,
  } as const;

  test('has no challenge for Android', async () => {
    const endpointArn = await sns.push.enableEndpoint('fcm', 'token-of-notice');
    await sns.push.publish(endpointArn, 'fcm', notice);
    expect(lastPush()?.payload).toMatchObject({
      message: {
        notification: { body: notice.alert },
        data: { notice: 'device-added', deviceId: 'another' },
        android: { ttl: '86400s' },
      },
    });
    expect(JSON.stringify(lastPush()?.payload)).not.toContain('challengeId');
  });

  test('has no challenge for Apple', async () => {
    const endpointArn = await sns.push.enableEndpoint('apns', 'token-of-notice');
    await sns.push.publish(endpointArn, 'apns', notice);
    expect(lastPush()?.payload).toEqual({
      aps: expect.objectContaining({ alert: { body: notice.alert } }),
      notice: 'device-added',
      deviceId: 'another',
    });
  });
});

describe('an endpoint', () => {
  test('is the same for the same token', async () => {
    const first = await sns.push.enableEndpoint('fcm', 'token-asked-twice');
    expect(await sns.push.enableEndpoint('fcm', 'token-asked-twice')).toBe(first);
  });

  test('is used if it exists with other attributes', async () => {
    const { EndpointArn = '' } = await sns.client.send(
      new CreatePlatformEndpointCommand({
        PlatformApplicationArn: (await sns.push.enableEndpoint('fcm', 'token-of-anyone'))
          .replace(':endpoint/', ':app/')
          .replace(/\/[^/]+$/, ''),
        Token: 'token-with-data',
        CustomUserData: 'made elsewhere',
      }),
    );
    expect(await sns.push.enableEndpoint('fcm', 'token-with-data')).toBe(EndpointArn);
  });

  test('is unreachable, if the provider disabled it, until its token is enabled again', async () => {
    const endpointArn = await sns.push.enableEndpoint('fcm', 'token-given-up');
    await sns.client.send(
      new SetEndpointAttributesCommand({ EndpointArn: endpointArn, Attributes: { Enabled: 'false' } }),
    );
    expect(await sns.push.publish(endpointArn, 'fcm', content)).toEqual({ delivery: 'unreachable' });
    expect(await sns.push.enableEndpoint('fcm', 'token-given-up')).toBe(endpointArn);
    expect(await attributesOf(endpointArn)).toMatchObject({ Enabled: 'true', Token: 'token-given-up' });
    expect(await sns.push.publish(endpointArn, 'fcm', content)).toEqual({ delivery: 'sent' });
  });

  test('is gone after its deletion, and can be created again from the token', async () => {
    const endpointArn = await sns.push.enableEndpoint('fcm', 'token-deleted');
    await sns.client.send(new DeleteEndpointCommand({ EndpointArn: endpointArn }));
    expect(await sns.push.publish(endpointArn, 'fcm', content)).toEqual({ delivery: 'gone' });
    const renewed = await sns.push.enableEndpoint('fcm', 'token-deleted');
    expect(renewed).not.toBe(endpointArn);
    expect(await sns.push.publish(renewed, 'fcm', content)).toEqual({ delivery: 'sent' });
  });

  test('is rejected for an unconfigured platform, with the configured ones', async () => {
    const alone = new PushClient(sns.client, { fcm: 'arn' });
    await expect(alone.enableEndpoint('apns', 'token-of-iphone')).rejects.toMatchObject({
      code: 'invalid-request',
      options: { errors: [{ pointer: '/platform', detail: expect.stringMatching(/: fcm$/) }] },
    });
  });
});

describe('a fault of SNS', () => {
  test('is retried if it is temporary', async () => {
    const endpointArn = await sns.push.enableEndpoint('fcm', 'token-throttled');
    sns.faults.add({ service: 'sns', operation: 'Publish', fault: 'throttle', times: 1 });
    expect(await sns.push.publish(endpointArn, 'fcm', content)).toEqual({ delivery: 'sent' });
  });

  test('is returned, not thrown, if it persists', async () => {
    const endpointArn = await sns.push.enableEndpoint('fcm', 'token-refused');
    const { id } = sns.faults.add({ service: 'sns', operation: 'Publish', fault: 'access-denied' });
    expect(await sns.push.publish(endpointArn, 'fcm', content)).toEqual({
      delivery: 'failed',
      fault: { name: 'AuthorizationErrorException' },
    });
    sns.faults.remove(id);
  });

  test('is not retried if it leaves a publish without a response, because a website waits', async () => {
    const endpointArn = await sns.push.enableEndpoint('fcm', 'token-timed-out');
    sns.faults.add({ service: 'sns', operation: 'Publish', fault: 'timeout-after', times: 1 });
    expect(await sns.push.publish(endpointArn, 'fcm', content)).toMatchObject({ delivery: 'failed' });
    expect(sns.pushes.list().filter(({ token }) => token === 'token-timed-out')).toHaveLength(1);
  });
});
