import { test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { expectStatus, openChallenge, push } from '../scenario.ts';
import { challengedWithPasskey, enrolWithPasskey } from './scene.ts';

export function forgedAssertions(stack: TestStack): void {
  test('is rejected if it was made for the other decision', async () => {
    const { device, authenticator, sent, challenge } = await challengedWithPasskey(stack);
    const [confirm, deny] = [
      authenticator.assert(challenge, 'confirm'),
      authenticator.assert(challenge, 'deny'),
    ];
    const answers = [
      await device.confirm(challenge, { claims: { userVerification: deny } }),
      await device.deny(challenge, undefined, { claims: { userVerification: confirm } }),
    ];
    for (const answer of answers) expectProblem(answer, 422, 'user-verification-failed');
    await expectStatus(stack.website, sent.nonce, 'pending');
  });

  test('is rejected if it was made for an earlier challenge with the same message', async () => {
    const { device, authenticator, challenge } = await challengedWithPasskey(stack);
    const claims = { userVerification: authenticator.assert(challenge, 'confirm') };
    succeeded(await device.confirm(challenge, { claims }), 200);
    const { nonce } = await push(stack.website, device);
    const next = await openChallenge(device);
    expectProblem(await device.confirm(next, { claims }), 422, 'user-verification-failed');
    await expectStatus(stack.website, nonce, 'pending');
  });

  test("is rejected with another device's passkey, even under the device's own id", async () => {
    const [other, { device, authenticator, challenge }] = await Promise.all([
      enrolWithPasskey(stack),
      challengedWithPasskey(stack),
    ]);
    const foreign = other.authenticator.assert(challenge, 'confirm');
    for (const userVerification of [foreign, { ...foreign, id: authenticator.id }])
      expectProblem(
        await device.confirm(challenge, { claims: { userVerification } }),
        422,
        'user-verification-failed',
      );
  });
}
