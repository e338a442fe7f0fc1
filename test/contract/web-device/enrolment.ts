import { expect, test } from '@jest/globals';
import { BrowserSubscription } from '../../support/browser-subscription.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { listed, openChallenge, poll, push } from '../scenario.ts';
import { enrolWebDevice } from './enrol.ts';

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
}
