import { expect, test } from '@jest/globals';
import { messageHashOf } from '../../../client/digests.ts';
import { newKeyPair } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { challengedDevice, enrolDevice, expectStatus, push, repeatedly } from '../scenario.ts';

/** The hash of a message that the service did not send. */
const altered = { claims: { messageHash: messageHashOf('Confirm the payment of 1250 €?') } };

export function badResponses(stack: TestStack): void {
  test('fail the confirmation at the third one', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const mismatch = async () =>
      expectProblem(await device.confirm(challenge, altered), 422, 'message-mismatch');
    await repeatedly(2, mismatch);
    await expectStatus(stack.website, sent.nonce, 'pending');
    await mismatch();
    const failed = await expectStatus(stack.website, sent.nonce, 'failed', 'too_many_bad_responses');
    expect(failed.evidence).toBeUndefined();
    expectProblem(await device.confirm(challenge), 409, 'already-decided');
    expect(succeeded(await device.challenges(), 200)).toMatchObject({ challenges: [] });
    expect((await push(stack.website, device)).status).toBe('pending');
  });

  test('do not count if they come from another device or key', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const forged = { ...altered, key: newKeyPair().privateKey };
    const stranger = await enrolDevice(stack.website, device.identity.userId);
    await repeatedly(4, async () => {
      expectProblem(await device.confirm(challenge, forged), 401, 'invalid-signature');
      expectProblem(await stranger.confirm(challenge, altered), 404, 'challenge-not-found');
    });
    await expectStatus(stack.website, sent.nonce, 'pending');
    succeeded(await device.confirm(challenge), 200);
  });

  test('fail the confirmation once when many arrive at the same time, and never confirm it', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => await device.confirm(challenge, altered)),
    );
    for (const { status } of answers) expect([409, 422]).toContain(status);
    expect(answers.filter(({ status }) => status === 422).length).toBeGreaterThanOrEqual(3);
    await expectStatus(stack.website, sent.nonce, 'failed', 'too_many_bad_responses');
  });
}
