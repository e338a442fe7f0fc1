import { expect, test } from '@jest/globals';
import { messageHashOf } from '../../../tools/client/digests.ts';
import { postAnswer } from '../../../tools/client/device/device-api.ts';
import { newKeyPair } from '../../../tools/client/device/simulated-device.ts';
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

  test('count once if the same one is sent again', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, { decision: 'confirm' }, altered);
    await repeatedly(4, async () => {
      const answer = await postAnswer(device.identity.baseUrl, challenge.challengeId, jws);
      expectProblem(answer, 422, 'message-mismatch');
    });
    await expectStatus(stack.website, sent.nonce, 'pending');
    expectProblem(await device.confirm(challenge, altered), 422, 'message-mismatch');
    await expectStatus(stack.website, sent.nonce, 'pending');
    expectProblem(await device.confirm(challenge, altered), 422, 'message-mismatch');
    await expectStatus(stack.website, sent.nonce, 'failed', 'too_many_bad_responses');
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

  test('do not include other faults of the right device', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    await repeatedly(4, async () => {
      const junk = await postAnswer(device.identity.baseUrl, challenge.challengeId, 'junk');
      expectProblem(junk, 401, 'invalid-signature');
      const iat = Math.floor(Date.now() / 1000) - 3600;
      const late = await device.confirm(challenge, { claims: { ...altered.claims, iat } });
      expect(late.body).toMatchObject({ code: 'clock-skew' });
      const unclear = { claims: { decision: 'maybe' } };
      expect((await device.confirm(challenge, unclear)).status).toBe(400);
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
