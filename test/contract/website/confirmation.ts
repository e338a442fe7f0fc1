import { expect, test } from '@jest/globals';
import { verifyEvidence } from '#website';
import { trustIn } from '../../support/service-keys.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectMembers, expectProblem, expectTime, succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  newNonce,
  notification,
  openChallenge,
  poll,
  push,
} from '../scenario.ts';

const always = [
  'nonce',
  'challengeId',
  'tenantId',
  'userId',
  'deviceId',
  'messageHash',
  'context',
  'contextHash',
  'status',
  'delivery',
  'createdAt',
  'expiresAt',
  'interval',
  'userVerified',
];

export function confirmation(stack: TestStack): void {
  test('is pending, as in the answer to its push', async () => {
    const device = await enrolDevice(stack.website);
    const sent = await push(stack.website, device);
    const answer = await stack.website.getConfirmation(sent.nonce);
    expect(succeeded(answer, 200)).toEqual(sent);
    expect(sent.tenantId).toBe(stack.file.tenants[0].tenantId);
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  test('tells when the device first fetched it', async () => {
    const device = await enrolDevice(stack.website);
    const sent = await push(stack.website, device);
    await openChallenge(device);
    const opened = await poll(stack.website, sent.nonce);
    expectMembers(opened, [...always, 'openedAt']);
    expectTime(opened.openedAt);
    expect(opened).toMatchObject({ ...sent });
    await openChallenge(device);
    expect((await poll(stack.website, sent.nonce)).openedAt).toBe(opened.openedAt);
  });

  test.each([
    ['confirmed', undefined, { decision: 'confirm' }],
    ['denied', 'user_declined', { decision: 'deny' }],
    ['denied', 'user_declined', { decision: 'deny', reason: 'user_declined' }],
    ['denied', 'not_me', { decision: 'deny', reason: 'not_me' }],
  ] as const)('is %s (%s) after %j', async (status, reason, decision) => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    expect(succeeded(await device.answer(challenge, decision), 200)).toEqual({ status });
    const answer = await stack.website.getConfirmation(sent.nonce);
    const decided = succeeded(answer, 200);
    const members = [...always, 'openedAt', 'decidedAt', 'evidence', 'deviceKey', 'receipt'];
    expectMembers(decided, reason === undefined ? members : [...members, 'reason']);
    expect({ status: decided.status, reason: decided.reason }).toEqual({ status, reason });
    expectTime(decided.decidedAt);
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  test('keeps the signed answer as evidence that anyone can check offline', async () => {
    const asked = notification({ message: 'Überweisung von 1.000 € 💶?' });
    const { device, sent, challenge } = await challengedDevice(stack.website, asked);
    succeeded(await device.confirm(challenge), 200);
    const decided = await poll(stack.website, sent.nonce);
    const known = { ...asked, ...device.identity, ...(await trustIn(stack.file)) };
    expect(await verifyEvidence(decided, known)).toMatchObject({ decision: 'confirm' });
    expect(decided.deviceKey).toMatchObject(device.publicJwk);
    expect(decided.deviceKey).not.toHaveProperty('d');
  });

  test('is not found for an unknown nonce', async () => {
    expectProblem(await stack.website.getConfirmation(newNonce()), 404, 'confirmation-not-found');
  });
}
