import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  notification,
  poll,
  push,
  pushesTo,
  repeatedly,
  tryPush,
} from '../scenario.ts';

export function idempotence(stack: TestStack): void {
  test('returns the same answer for a repetition and sends no push', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification({ expiresIn: 60 });
    const first = succeeded(await tryPush(stack.website, device, sent), 202);
    const again = await repeatedly(3, async () => await tryPush(stack.website, device, sent));
    expect(first).not.toHaveProperty('repeated');
    for (const answer of again) expect(succeeded(answer, 202)).toEqual({ ...first, repeated: true });
    expect(await poll(stack.website, sent.nonce)).toEqual(first);
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
  });

  test('returns the decision with its evidence for a later repetition', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    succeeded(await device.confirm(challenge), 200);
    const answer = await tryPush(stack.website, device, { nonce: sent.nonce });
    const repeated = succeeded(answer, 202);
    expect(repeated).toEqual({ ...(await poll(stack.website, sent.nonce)), repeated: true });
    expect(repeated.status).toBe('confirmed');
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
  });

  test('rejects another message or lifetime with 409', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification({ expiresIn: 60 });
    await push(stack.website, device, sent);
    for (const change of [{ message: 'Another message' }, { expiresIn: 61 }])
      expectProblem(await tryPush(stack.website, device, { ...sent, ...change }), 409, 'nonce-already-used');
  });
}
