import { expect, test } from '@jest/globals';
import { scan } from '#device';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { until } from '../../support/waiting.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { newNonce, newUser, openChallenge, push, startEnrolment } from '../scenario.ts';
import { authenticatorOf } from '../user-verification/scene.ts';
import { changing, openBank, type Bank } from './bank.ts';

/** The user's phone is unlocked, but its passkey asks for the finger. The tenant has every protection on. */
export function thief(stack: TestStack): void {
  const robbed = async (mode: 'required' | 'preferred' = 'required', counts = false) => {
    const bank: Bank = await openBank(stack, 'confirm');
    const { tenantId, website } = bank;
    await jsonOn(stack)('tenant', 'set', '--tenant', tenantId, '--user-verification', mode, '--yes');

    const userId = newUser();
    const [phone, authenticator] = [new SimulatedDevice(), authenticatorOf(stack, { counts })];
    const { qr } = await startEnrolment(website, userId);
    const passkey = authenticator.create(scan(qr).code);
    succeeded(await phone.enrol(qr, { claims: { passkey } }), 201);
    return { ...bank, userId, phone, authenticator };
  };

  test('can neither remove the device nor add another one', async () => {
    const { website, userId, phone } = await robbed();
    const { deviceId } = phone.identity;
    expectProblem(await phone.remove(), 422, 'user-verification-required');
    expectProblem(await website.removeDevice(userId, deviceId), 403, 'confirmation-required');
    expectProblem(await website.startEnrolment(userId), 403, 'confirmation-required');
    const nonce = newNonce();
    await push(website, phone, { nonce, ...changing('remove-device', phone) });
    expectProblem(await phone.confirm(await openChallenge(phone)), 422, 'user-verification-required');
    expectProblem(await website.removeDevice(userId, deviceId, nonce), 403, 'confirmation-required');
    expect(succeeded(await website.listDevices(userId), 200).devices).toHaveLength(1);
  });

  test('cannot reuse an assertion of another message, device or purpose', async () => {
    const { phone, authenticator } = await robbed();
    const { deviceId } = phone.identity;
    const failed = async (userVerification: object, jti = 'thief') =>
      expectProblem(
        await phone.remove({ claims: { jti, userVerification } }),
        422,
        'user-verification-failed',
      );
    await failed(authenticator.assertRemoval(deviceId, 'earlier'));
    await failed(authenticator.assertRemoval('another', 'thief'));
    await failed(authenticatorOf(stack).assertRemoval(deviceId, 'thief'));
  });

  test('gains nothing from a removal by the user, who needs the help desk, too', async () => {
    const { website, helpDesk, userId, phone, authenticator } = await robbed();
    const userVerification = authenticator.assertRemoval(phone.identity.deviceId, 'own');
    succeeded(await phone.remove({ claims: { jti: 'own', userVerification } }), 204);
    expectProblem(await website.startEnrolment(userId), 403, 'recovery-required');
    succeeded(await helpDesk.startEnrolment(userId), 201);
  });

  test('cannot reuse a counter, in any mode, and the attempt is counted', async () => {
    const { phone, authenticator } = await robbed('preferred', true);
    const { length: since } = await stack.log();
    const claims = (counter?: number) => ({
      jti: 'counted',
      userVerification: authenticator.assertRemoval(
        phone.identity.deviceId,
        'counted',
        counter === undefined ? {} : { counter },
      ),
    });
    expectProblem(await phone.remove({ claims: claims(0) }), 422, 'passkey-counter');
    await until(async () => (await stack.log()).slice(since).includes('PasskeyCountersRefused'));
    succeeded(await phone.remove({ claims: claims() }), 204);
  });

  test('removes the device without a passkey if the tenant does not require one', async () => {
    const { phone } = await robbed('preferred');
    succeeded(await phone.remove(), 204);
  });
}
