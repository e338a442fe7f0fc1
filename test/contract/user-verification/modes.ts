import { beforeAll, expect, test } from '@jest/globals';
import { readContext } from '#device';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { UserVerificationMode } from '../../../core/tenants/tenant.ts';
import { omiOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  newUser,
  openChallenge,
  poll,
  push,
  startEnrolment,
} from '../scenario.ts';
import {
  challengedWithPasskey,
  enrolWithPasskey,
  openBank,
  tryToEnrol,
  authenticatorOf,
  type Bank,
} from './scene.ts';

export function modes(stack: TestStack): void {
  const banks = {} as Record<UserVerificationMode, Bank>;

  beforeAll(async () => {
    for (const mode of ['off', 'preferred', 'required'] as const) banks[mode] = await openBank(stack, mode);
  });

  test.each(['off', 'preferred', 'required'] as const)(
    '%s is shown to the app, with who asks',
    async (mode) => {
      const { challenge } = await challengedWithPasskey(stack, banks[mode]);
      expect(readContext(challenge.context)).toEqual({
        userVerification: mode,
        requester: { tenant: 'Bank with passkeys', client: 'payments' },
      });
    },
  );

  test.each(['off', 'preferred'] as const)(
    '%s allows a device without a passkey to enrol and confirm',
    async (mode) => {
      const { device, sent, challenge } = await challengedDevice(banks[mode].website);
      succeeded(await device.confirm(challenge), 200);
      expect(await poll(banks[mode].website, sent.nonce)).toMatchObject({
        status: 'confirmed',
        userVerified: false,
      });
    },
  );

  test.each(['off', 'preferred', 'required'] as const)(
    '%s checks every passkey that is sent',
    async (mode) => {
      const { device, authenticator, challenge } = await challengedWithPasskey(stack, banks[mode]);
      const wrong = { userVerification: authenticator.assert(challenge, 'deny') };
      expectProblem(await device.confirm(challenge, { claims: wrong }), 422, 'user-verification-failed');
      const { answer } = await tryToEnrol(banks[mode].website, authenticatorOf(stack), {
        rpId: 'example.com',
      });
      expectProblem(answer, 422, 'user-verification-failed');
      const right = { userVerification: authenticator.assert(challenge, 'confirm') };
      succeeded(await device.confirm(challenge, { claims: right }), 200);
    },
  );

  test('required rejects an enrolment without a passkey and keeps its code usable', async () => {
    const { website } = banks.required;
    const { qr, enrolmentId } = await startEnrolment(website, newUser());
    const device = new SimulatedDevice();
    expectProblem(await device.enrol(qr), 422, 'user-verification-required');
    expect(succeeded(await website.getEnrolment(enrolmentId), 200)).toEqual({ status: 'waiting' });
  });

  test('required demands the passkey for a confirmation, not for a denial', async () => {
    const { website } = banks.required;
    const { device, authenticator, sent, challenge } = await challengedWithPasskey(stack, { website });
    for (let attempt = 0; attempt < 4; attempt += 1)
      expectProblem(await device.confirm(challenge), 422, 'user-verification-required');
    await expectStatus(website, sent.nonce, 'pending');
    const claims = { userVerification: authenticator.assert(challenge, 'confirm') };
    succeeded(await device.confirm(challenge, { claims }), 200);
    expect(await poll(website, sent.nonce)).toMatchObject({ status: 'confirmed', userVerified: true });
    const next = await push(website, device);
    succeeded(await device.deny(await openChallenge(device)), 200);
    expect(await poll(website, next.nonce)).toMatchObject({ status: 'denied', userVerified: false });
  });

  test('changes for existing devices, and the operator sees how many can no longer confirm', async () => {
    const { tenantId, website } = await openBank(stack, 'off');
    const omi = omiOn(stack);
    const [without] = await Promise.all([enrolDevice(website), enrolWithPasskey(stack, { website })]);
    const set = ['tenant', 'set', tenantId, '--user-verification', 'required'];
    const asked = await omi(set);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toMatch(/^1 device has no passkey/m);
    expect(asked.err).toContain('--yes');
    const { nonce } = await push(website, without);
    succeeded(await without.confirm(await openChallenge(without)), 200);
    await expectStatus(website, nonce, 'confirmed');

    const done = await omi([...set, '--yes', '--json']);
    expect(done).toMatchObject({ code: 0 });
    expect(JSON.parse(done.out)).toMatchObject({
      settings: { userVerification: 'required' },
      devicesWithoutPasskey: 1,
    });
    expect(await omi(set)).toMatchObject({ code: 0 });
  });
}
