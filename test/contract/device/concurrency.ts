import { expect, test } from '@jest/globals';
import { postAnswer } from '../../../client/device/device-api.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { challengedDevice, poll } from '../scenario.ts';

const decisions = ['confirm', 'deny', 'confirm', 'deny', 'confirm', 'deny'] as const;
const statusOf = { confirm: 'confirmed', deny: 'denied' } as const;

export function concurrency(stack: TestStack): void {
  test('are decided by exactly one if they differ', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const sentAnswers = await Promise.all(
      decisions.map(async (decision) => {
        const jws = device.signAnswer(challenge, { decision });
        const answer = await postAnswer(device.identity.baseUrl, challenge.challengeId, jws);
        return { decision, jws, answer };
      }),
    );
    const [winner, ...others] = sentAnswers.filter(({ answer }) => answer.ok);
    if (winner === undefined) throw new Error('No answer decided');
    expect(others).toEqual([]);
    expect(succeeded(winner.answer, 200)).toEqual({ status: statusOf[winner.decision] });
    for (const { answer } of sentAnswers) if (!answer.ok) expectProblem(answer, 409, 'already-decided');
    const decided = await poll(stack.website, sent.nonce);
    expect({ status: decided.status, evidence: decided.evidence }).toEqual({
      status: statusOf[winner.decision],
      evidence: winner.jws,
    });
  });

  test('get the same response each time if they are identical', async () => {
    const { device, challenge } = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, { decision: 'confirm' });
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async () => await postAnswer(device.identity.baseUrl, challenge.challengeId, jws)),
    );
    for (const answer of answers) expect(succeeded(answer, 200)).toEqual({ status: 'confirmed' });
  });
}
