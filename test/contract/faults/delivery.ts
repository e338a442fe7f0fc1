import { expect, test } from '@jest/globals';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import {
  enrolDevice,
  expectStatus,
  listed,
  notification,
  openChallenge,
  poll,
  pushesTo,
  tryPush,
} from '../scenario.ts';
import { patiently } from './patience.ts';

/** With the name that the log has of each. */
const faults = [
  ['throttle', 'Throttling'],
  ['access-denied', 'AuthorizationErrorException'],
] as const;

export function delivery(stack: TestStack): void {
  test.each(faults)('(%s) fails the delivery but not the confirmation, and logs %s', async (fault, name) => {
    const device = await enrolDevice(stack.website);
    const sent = notification();
    const answer = await withFault(
      stack.file,
      { service: 'sns', fault },
      async () => await tryPush(stack.website, device, sent),
    );
    const { challengeId, ...confirmation } = succeeded(answer, 202);
    expect(confirmation).toMatchObject({ status: 'pending', delivery: 'failed' });
    const lines = (await stack.log()).split('\n').filter((line) => line.includes(challengeId));
    expect(lines.filter((line) => line.includes(`"fault":{"name":"${name}`))).toHaveLength(1);
    expect((await poll(stack.website, sent.nonce)).delivery).toBe('failed');
    expect((await listed(stack.website, device)).status).toBe('active');
    succeeded(await device.confirm(await openChallenge(device)), 200);
    await expectStatus(stack.website, sent.nonce, 'confirmed');
  });

  test("delivers the push once if only SNS's answer is lost", async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification();
    const lost = { service: 'sns', operation: 'Publish', fault: 'timeout-after', times: 1 } as const;
    const answer = await withFault(
      stack.file,
      lost,
      async () => await patiently(async () => await tryPush(stack.website, device, sent)),
    );
    expect(succeeded(answer, 202).status).toBe('pending');
    succeeded(await tryPush(stack.website, device, sent), 202);
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
  });
}
