/** Body 400, device 404, choice 409, nonce 409 or its repeated answer, limits 429, open confirmation 409. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import {
  enrolDevice,
  notification,
  push,
  pushAndConfirm,
  pushAndDeny,
  repeatedly,
  tryPush,
} from '../scenario.ts';

export function pushOrder(stack: TestStack): void {
  test('puts the device before the nonce', async () => {
    const device = await enrolDevice(stack.website);
    const { nonce } = await push(stack.website, device);
    const { userId } = device.identity;
    const answer = await stack.website.sendToDevice(userId, randomUUID(), notification({ nonce }));
    expectProblem(answer, 404, 'device-not-found');
  });

  test('puts the nonce before the limits', async () => {
    const device = await enrolDevice(stack.website);
    const sent = await pushAndDeny(stack.website, device, 'not_me');
    expectProblem(await tryPush(stack.website, device), 429, 'too-many-notifications');
    const { nonce } = sent;
    const other = await tryPush(stack.website, device, { nonce, message: 'Another message' });
    expectProblem(other, 409, 'nonce-already-used');
    const repeated = succeeded(await tryPush(stack.website, device, { nonce }), 202);
    expect(repeated).toMatchObject({ challengeId: sent.challengeId, status: 'denied', reason: 'not_me' });
  });

  test('puts the limits before the open confirmation', async () => {
    const device = await enrolDevice(stack.website);
    await repeatedly(4, async () => await pushAndConfirm(stack.website, device));
    const open = await push(stack.website, device);
    expect(open.status).toBe('pending');
    expectProblem(await tryPush(stack.website, device), 429, 'too-many-notifications');
  });
}
