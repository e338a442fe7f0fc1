import { expect, test } from '@jest/globals';
import { BrowserSubscription } from '../../support/browser-subscription.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, succeeded } from '../expectations.ts';
import { eventAbout } from '../further-devices/bank.ts';
import { listed, openChallenge, poll, push } from '../scenario.ts';
import { enrolWebDevice, tryToEnrol } from './enrol.ts';

const subscription = () => new BrowserSubscription().toJSON();

export function enrolment(stack: TestStack): void {
  test.each([
    ['with a subscription', { subscription: subscription() }],
    [
      'with the subscription as the browser prints it',
      { subscription: { ...subscription(), expirationTime: null } },
    ],
    ['without a subscription', {}],
  ])('succeeds %s, and the device is active', async (_, claims) => {
    const device = await enrolWebDevice(stack.website, claims);
    expect(await listed(stack.website, device)).toMatchObject({ platform: 'web', status: 'active' });
    expect(JSON.stringify(await listed(stack.website, device))).not.toContain('fcm.googleapis.com');
  });

  test('leads to no push without a subscription, but the device is active and answers', async () => {
    const device = await enrolWebDevice(stack.website);
    const sent = await push(stack.website, device);
    expect(sent).toMatchObject({ status: 'pending', delivery: 'unreachable' });
    expect((await poll(stack.website, sent.nonce)).delivery).toBe('unreachable');
    expect((await listed(stack.website, device)).status).toBe('active');
    succeeded(await device.confirm(await openChallenge(device)), 200);
    succeeded(await device.remove(), 204);
  });

  test('rejects a push token', async () => {
    expectFaults(await tryToEnrol(stack.website, { pushToken: 'a-token-of-fcm' }), '/pushToken');
  });

  test('rejects a subscription from another platform', async () => {
    const answer = await tryToEnrol(stack.website, {
      platform: 'fcm',
      pushToken: 'a-token-of-fcm',
      subscription: subscription(),
    });
    expectFaults(answer, '/subscription');
  });

  test('names every fault at once', async () => {
    const claims = { name: '', subscription: { endpoint: 'x', keys: { p256dh: 'x', auth: 'x' } } };
    expectFaults(
      await tryToEnrol(stack.website, claims),
      '/name',
      '/subscription/endpoint',
      '/subscription/keys/auth',
      '/subscription/keys/p256dh',
    );
  });

  test('names the platform in its event', async () => {
    const web = await enrolWebDevice(stack.website);
    const event = await eventAbout(stack, stack.file.tenants[0], web, 'UserDeviceRegisteredEvent');
    expect(event).toMatchObject({ version: '1.1', payload: { platform: 'web' } });
  });
}
