import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { until } from '../../support/waiting.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { expectStatus, openChallenge, poll, push } from '../scenario.ts';
import { challengedWithPasskey, enrolWithPasskey } from './scene.ts';

const statusOf = { confirm: 'confirmed', deny: 'denied' } as const;

export function answersWithPasskey(stack: TestStack): void {
  test.each([
    ['confirm', true],
    ['confirm', false],
    ['deny', true],
  ] as const)('(%s) is verified if the authenticator counts: %s', async (decision, counts) => {
    const { device, authenticator, sent, challenge } = await challengedWithPasskey(stack, { counts });
    expect(sent.userVerified).toBe(false);
    const userVerification = authenticator.assert(challenge, decision);
    const answer = await device.answer(challenge, { decision }, { claims: { userVerification } });
    expect(succeeded(answer, 200)).toEqual({ status: statusOf[decision] });
    const { userVerified, passkeyKey, deviceKey } = await poll(stack.website, sent.nonce);
    expect(userVerified).toBe(true);
    expect(passkeyKey).toEqual(authenticator.publicKey.export({ format: 'jwk' }));
    expect(deviceKey).toEqual(device.publicJwk);
  });

  test.each(['confirm', 'deny'] as const)('(%s) is not verified without an assertion', async (decision) => {
    const { device, sent, challenge } = await challengedWithPasskey(stack);
    succeeded(await device.answer(challenge, { decision }), 200);
    const confirmation = await poll(stack.website, sent.nonce);
    expect(confirmation).toMatchObject({ status: statusOf[decision], userVerified: false });
    expect(confirmation).not.toHaveProperty('passkeyKey');
  });

  test('needs a growing counter if the authenticator counts, and one that does not grow is counted', async () => {
    const { length: since } = await stack.log();
    const { device, authenticator } = await enrolWithPasskey(stack, { counts: true });
    const answer = async (counter: number) => {
      const challenge = await openChallenge(device);
      const userVerification = authenticator.assert(challenge, 'confirm', { counter });
      return await device.confirm(challenge, { claims: { userVerification } });
    };
    const first = await push(stack.website, device);
    succeeded(await answer(41), 200);
    await expectStatus(stack.website, first.nonce, 'confirmed');
    const second = await push(stack.website, device);
    for (const counter of [41, 40, 1, 0]) expectProblem(await answer(counter), 422, 'passkey-counter');
    await until(async () => (await stack.log()).slice(since).includes('PasskeyCountersRefused'));
    await expectStatus(stack.website, second.nonce, 'pending');
    succeeded(await answer(42), 200);
  });
}
