import { expect, test } from '@jest/globals';
import { BrowserSubscription } from '../../support/browser-subscription.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults } from '../expectations.ts';
import { tryToEnrol } from './enrol.ts';

export function endpoints(stack: TestStack): void {
  const { keys } = new BrowserSubscription().toJSON();
  const tryWith = async (subscription: object) => await tryToEnrol(stack.website, { subscription });

  test('the endpoint of no known push service is rejected', async () => {
    const endpoint = 'https://fcm.googleapis.com.evil.example/x';
    expectFaults(await tryWith({ endpoint, keys }), '/subscription/endpoint');
  });

  test('a subscription without its parts is rejected', async () => {
    expectFaults(await tryWith({}), '/subscription/endpoint', '/subscription/keys');
    expect((await tryToEnrol(stack.website, { subscription: null })).status).toBe(400);
  });
}
