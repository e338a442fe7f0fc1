import { expect, test } from '@jest/globals';
import { messageHashOf } from '../../../client/digests.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, retryAfterOf, succeeded } from '../expectations.ts';
import {
  enrolDevice,
  expectStatus,
  openChallenge,
  poll,
  push,
  pushAndDeny,
  repeatedly,
  tryPush,
} from '../scenario.ts';

const fiveMinutesSeconds = 300;
const twentyMinutesSeconds = 1200;

export function pauses(stack: TestStack): void {
  const deny = async (device: SimulatedDevice, times: number) =>
    await repeatedly(times, async () => await pushAndDeny(stack.website, device));

  const expectPause = async (device: SimulatedDevice, seconds: number) => {
    const answer = await tryPush(stack.website, device);
    expectProblem(answer, 429, 'too-many-notifications');
    expect(retryAfterOf(answer)).toBeLessThanOrEqual(seconds);
    expect(retryAfterOf(answer)).toBeGreaterThan(seconds - 30);
  };

  const fail = async (device: SimulatedDevice) => {
    const { nonce } = await push(stack.website, device);
    const challenge = await openChallenge(device);
    const claims = { messageHash: messageHashOf('Another message') };
    await repeatedly(3, async () => await device.confirm(challenge, { claims }));
    await expectStatus(stack.website, nonce, 'failed', 'too_many_bad_responses');
  };

  test('lasts five minutes after three denials in a row', async () => {
    const device = await enrolDevice(stack.website);
    await deny(device, 3);
    await expectPause(device, fiveMinutesSeconds);
  });

  test('also follows failed confirmations', async () => {
    const device = await enrolDevice(stack.website);
    await deny(device, 1);
    await fail(device);
    await deny(device, 1);
    await expectPause(device, fiveMinutesSeconds);
  });

  test('lasts twenty minutes after one not_me, for every device of the user', async () => {
    const device = await enrolDevice(stack.website);
    const other = await enrolDevice(stack.website, device.identity.userId);
    await pushAndDeny(stack.website, device, 'not_me');
    await expectPause(device, twentyMinutesSeconds);
    await expectPause(other, twentyMinutesSeconds);
  });

  test('leaves an open confirmation on another device', async () => {
    const device = await enrolDevice(stack.website);
    const other = await enrolDevice(stack.website, device.identity.userId);
    const { nonce } = await push(stack.website, other);
    await pushAndDeny(stack.website, device, 'not_me');
    succeeded(await other.confirm(await openChallenge(other)), 200);
    expect((await poll(stack.website, nonce)).status).toBe('confirmed');
  });
}
