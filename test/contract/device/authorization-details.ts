import { expect, test } from '@jest/globals';
import { EvidenceError, verifyEvidence } from '#website';
import { messageHashOf as hashOf } from '../../../client/digests.ts';
import { trustIn } from '../../support/service-keys.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  notification,
  openChallenge,
  push,
} from '../scenario.ts';

const details = [
  { type: 'payment', amount: '16.00', currency: 'EUR', to: { name: 'Café Zoë ☕', city: 'München' } },
  { type: 'notice', read: true, of: [1, 2.5, null] },
];
const text = JSON.stringify(details);
const detailsHash = hashOf(text);
const others = hashOf(text.replace('16.00', '16.01'));

export function authorizationDetails(stack: TestStack): void {
  const challenged = async () => await challengedDevice(stack.website, { authorizationDetails: details });

  test('are shown exactly as sent, with their hash, beside message and context', async () => {
    const device = await enrolDevice(stack.website);
    const sent = await push(stack.website, device, { authorizationDetails: details, purpose: 'add-device' });
    expect(await openChallenge(device)).toMatchObject({
      message: expect.any(String),
      details: text,
      detailsHash,
      context: expect.stringContaining('"purpose":"add-device"'),
    });
    expect(sent.detailsHash).toBe(detailsHash);
  });

  test.each([
    ['confirmed', { decision: 'confirm' }],
    ['denied', { decision: 'deny' }],
  ] as const)('are in the evidence of a %s confirmation', async (status, decision) => {
    const asked = notification({ authorizationDetails: details });
    const { device, sent, challenge } = await challengedDevice(stack.website, asked);
    expect(succeeded(await device.answer(challenge, decision), 200)).toEqual({ status });
    const decided = await expectStatus(
      stack.website,
      sent.nonce,
      status,
      decision.decision === 'deny' ? 'user_declined' : undefined,
    );
    expect(decided.detailsHash).toBe(detailsHash);
    const known = { ...asked, ...device.identity, ...(await trustIn(stack.file)) };
    const claims = await verifyEvidence(decided, { ...known, details });
    expect(claims.detailsHash).toBe(detailsHash);
    for (const other of [undefined, details.slice(1)])
      await expect(verifyEvidence(decided, { ...known, details: other })).rejects.toThrow(EvidenceError);
  });

  test.each([
    ['missing', undefined],
    ['that of other details', others],
  ])('are a mismatch if their signed hash is %s', async (_, wrong) => {
    const { device, sent, challenge } = await challenged();
    for (const decision of ['confirm', 'deny'] as const) {
      const answer = await device.answer(challenge, { decision }, { claims: { detailsHash: wrong } });
      expectProblem(answer, 422, 'message-mismatch');
    }
    await expectStatus(stack.website, sent.nonce, 'pending');
    succeeded(await device.confirm(challenge), 200);
    await expectStatus(stack.website, sent.nonce, 'confirmed');
  });
}
