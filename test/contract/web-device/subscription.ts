import { expect, test } from '@jest/globals';
import { BrowserSubscription } from '../../support/browser-subscription.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { listed } from '../scenario.ts';
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
}
