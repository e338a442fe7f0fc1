import { expect, test } from '@jest/globals';
import { BrowserSubscription } from '../../support/browser-subscription.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, listed } from '../scenario.ts';
import { enrolWebDevice, refresh } from './enrol.ts';

const fresh = () => new BrowserSubscription().toJSON();
const now = () => Math.floor(Date.now() / 1000);

export function subscription(stack: TestStack): void {
  test('can be set for the first time and replaced', async () => {
    const device = await enrolWebDevice(stack.website);
    succeeded(await refresh(device, { subscription: fresh() }), 204);
    const iat = now() + 10;
    succeeded(await refresh(device, { subscription: fresh() }, { claims: { iat } }), 204);
    expect(await listed(stack.website, device)).toMatchObject({ status: 'active', platform: 'web' });
  });

  test('keeps its value and answers 409 if a JWS is not newer than the last accepted one', async () => {
    const device = await enrolWebDevice(stack.website);
    const iat = now() + 10;
    succeeded(await refresh(device, { subscription: fresh() }, { claims: { iat } }), 204);
    for (const older of [iat, iat - 1]) {
      const answer = await refresh(device, { subscription: fresh() }, { claims: { iat: older } });
      expectProblem(answer, 409, 'stale-request');
    }
  });

  test('is the newest of several that arrive at once', async () => {
    const device = await enrolWebDevice(stack.website);
    const latest = now() + 20;
    const answers = await Promise.all(
      [latest, latest - 1, latest - 2, latest - 3].map(
        async (iat) => await refresh(device, { subscription: fresh() }, { claims: { iat } }),
      ),
    );
    expect(answers[0]?.status).toBe(204);
    for (const { status } of answers) expect([204, 409]).toContain(status);
    const after = await refresh(device, { subscription: fresh() }, { claims: { iat: latest } });
    expectProblem(after, 409, 'stale-request');
  });

  test.each([
    ['a push token', { pushToken: 'a-token-of-fcm' }, ['/pushToken', '/subscription']],
    ['both', { pushToken: 'a-token-of-fcm', subscription: fresh() }, ['/pushToken']],
    ['nothing', {}, ['/subscription']],
    ['null', { subscription: null }, ['/subscription']],
  ])('%s from a web device is rejected', async (_, claims, pointers) => {
    expectFaults(await refresh(await enrolWebDevice(stack.website), claims), ...pointers);
  });

  test('is rejected from another platform', async () => {
    const device = await enrolDevice(stack.website);
    expectFaults(await refresh(device, { subscription: fresh() }), '/pushToken', '/subscription');
    const both = { pushToken: 'a-token-of-fcm', subscription: fresh() };
    expectFaults(await refresh(device, both), '/subscription');
  });
}
