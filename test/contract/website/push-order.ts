/** Body 400, device 404, choice 409, nonce 409 or its repeated answer, limits 429, open confirmation 409. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectProblem, succeeded } from '../expectations.ts';
import {
  enrolDevice,
  newUser,
  notification,
  push,
  pushAndConfirm,
  pushAndDeny,
  repeatedly,
  tryPush,
} from '../scenario.ts';

export function pushOrder(stack: TestStack): void {
  test('puts the body before the device', async () => {
    const invalid = notification({ message: '' });
    const unknown = [newUser(), randomUUID()] as const;
    expectFaults(await stack.website.sendToDevice(...unknown, invalid), '/message');
    expectFaults(await stack.website.sendToUser(newUser(), invalid), '/message');
  });

  test('puts the device before the nonce', async () => {
    const device = await enrolDevice(stack.website);
    const { nonce } = await push(stack.website, device);
    const { userId } = device.identity;
    const answer = await stack.website.sendToDevice(userId, randomUUID(), notification({ nonce }));
    expectProblem(answer, 404, 'device-not-found');
  });

  test('puts a removed device before the nonce of its push', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification();
    await push(stack.website, device, sent);
    succeeded(await device.remove(), 204);
    expectProblem(await tryPush(stack.website, device, sent), 404, 'device-not-found');
  });

  test('puts the choice of a device before the nonce', async () => {
    const userId = newUser();
    const [first] = [await enrolDevice(stack.website, userId), await enrolDevice(stack.website, userId)];
    const sent = notification();
    await push(stack.website, first, sent);
    for (const asked of [sent, { ...sent, message: 'Another message' }, notification()])
      expectProblem(await stack.website.sendToUser(userId, asked), 409, 'device-choice-required');
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

  test('puts the nonce before the open confirmation', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification();
    const first = await push(stack.website, device, sent);
    expect(await push(stack.website, device, sent)).toMatchObject({ challengeId: first.challengeId });
    const other = await tryPush(stack.website, device, { ...sent, expiresIn: 60 });
    expectProblem(other, 409, 'nonce-already-used');
  });
}
