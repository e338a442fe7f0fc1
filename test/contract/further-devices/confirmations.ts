import { beforeAll, describe, expect, test } from '@jest/globals';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { Answer } from '../../../client/http.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, newNonce, newUser, poll } from '../scenario.ts';
import { confirmedOn, eventAbout, noticesTo, openBank, type Bank, type Purpose } from './bank.ts';

const refused = (answer: Answer<unknown>) => expectProblem(answer, 403, 'confirmation-required');

export function confirmations(stack: TestStack): void {
  let bank: Bank;
  beforeAll(async () => {
    bank = await openBank(stack, 'confirm');
  });

  /** A further device, with the user's confirmation on the first. */
  const addWith = async (first: SimulatedDevice, website = bank.website) => {
    const nonce = await confirmedOn(bank, first, 'add-device');
    const { qr } = succeeded(await website.startEnrolment(first.identity.userId, nonce), 201);
    const device = new SimulatedDevice();
    succeeded(await device.enrol(qr), 201);
    return { device, nonce };
  };
  /** The two calls that need a confirmation: for a device's user, and where it goes, that device. */
  const calls: Record<Purpose, (device: SimulatedDevice, nonce?: string) => Promise<Answer<unknown>>> = {
    'add-device': async ({ identity }, nonce) => await bank.website.startEnrolment(identity.userId, nonce),
    'remove-device': async ({ identity: { userId, deviceId } }, nonce) =>
      await bank.website.removeDevice(userId, deviceId, nonce),
  };
  const purposes = ['add-device', 'remove-device'] as const;
  const devicesOf = async ({ identity }: SimulatedDevice) =>
    succeeded(await bank.website.listDevices(identity.userId), 200).devices;

  test('adds a device with a confirmation that its event names, and notifies the first device', async () => {
    const first = await enrolDevice(bank.website);
    const { device, nonce } = await addWith(first);
    const { challengeId } = await poll(bank.website, nonce);
    expect(await eventAbout(stack, bank, device, 'UserDeviceRegisteredEvent')).toMatchObject({
      version: '1.1',
      payload: { authorizedBy: 'confirmation', challengeId },
    });
    expect(await noticesTo(stack, first)).toHaveLength(1);
    expect(await devicesOf(first)).toHaveLength(2);
  });

  test('removes a device with its own confirmation, which its event names', async () => {
    const device = await enrolDevice(bank.website);
    const nonce = await confirmedOn(bank, device, 'remove-device');
    const { challengeId } = await poll(bank.website, nonce);
    succeeded(await calls['remove-device'](device, nonce), 204);
    expect(await devicesOf(device)).toEqual([]);
    expect(await eventAbout(stack, bank, device, 'UserDeviceDeregisteredEvent')).toMatchObject({
      version: '1.1',
      payload: { authorizedBy: 'confirmation', challengeId },
    });
  });

  describe.each(purposes)('confirming %s', (purpose) => {
    const call = async (device: SimulatedDevice, nonce?: string) => await calls[purpose](device, nonce);

    test('is required, and without it nothing changes', async () => {
      const device = await enrolDevice(bank.website);
      refused(await call(device));
      refused(await call(device, newNonce()));
      expect(await devicesOf(device)).toHaveLength(1);
    });

    test("rejects another user's confirmation, even if the ids differ only in case", async () => {
      const userId = newUser();
      const device = await enrolDevice(bank.website, userId);
      for (const owner of [newUser(), userId.toUpperCase()]) {
        const stranger = await enrolDevice(bank.website, owner);
        const nonce = await confirmedOn(bank, stranger, purpose);
        refused(await call(device, nonce));
        // It still does for its own user.
        expect((await call(stranger, nonce)).ok).toBe(true);
      }
    });

    test("rejects another tenant's confirmation", async () => {
      const other = await openBank(stack, 'confirm');
      const userId = newUser();
      const device = await enrolDevice(bank.website, userId);
      const namesake = await enrolDevice(other.website, userId);
      refused(await call(device, await confirmedOn(other, namesake, purpose)));
    });

    test('rejects a confirmation of a device that has been removed', async () => {
      const [device, spare] = await withSpare();
      const nonce = await confirmedOn(bank, spare, purpose, device);
      succeeded(await spare.remove(), 204);
      refused(await call(device, nonce));
    });
  });

  test('removes the device that the confirmation showed, and no other', async () => {
    const [device, shown, other] = await withSpare(2);
    const nonce = await confirmedOn(bank, device, 'remove-device', shown);
    for (const wrong of [other, device]) if (wrong) refused(await calls['remove-device'](wrong, nonce));
    succeeded(await calls['remove-device'](shown, nonce), 204);
  });

  /** A user's first device, and further ones. */
  async function withSpare(count = 1): Promise<[SimulatedDevice, SimulatedDevice, ...SimulatedDevice[]]> {
    const first = await enrolDevice(bank.website);
    const { device: second } = await addWith(first);
    const others: SimulatedDevice[] = [];
    while (others.length < count - 1) others.push((await addWith(first)).device);
    return [first, second, ...others];
  }

  describe('an enrolment code', () => {
    const enrolWith = async (qr: string, device = new SimulatedDevice()) => await device.enrol(qr);

    test('is rejected after the confirming device is removed, whether or not another remains', async () => {
      const [first, second] = await withSpare();
      const { userId } = first.identity;
      const nonce = await confirmedOn(bank, second, 'add-device');
      const { qr } = succeeded(await bank.website.startEnrolment(userId, nonce), 201);
      succeeded(await second.remove(), 204);
      refused(await enrolWith(qr));
      succeeded(await first.remove(), 204);
      expectProblem(await enrolWith(qr), 403, 'recovery-required');
    });
  });

  test.each(['free', 'notify'] as const)('needs and uses no confirmation with the rule %s', async (rule) => {
    const lenient = await openBank(stack, rule);
    const first = await enrolDevice(lenient.website);
    const { userId } = first.identity;
    const nonce = await confirmedOn(lenient, first, 'remove-device');
    for (const confirmation of [undefined, newNonce(), nonce])
      succeeded(await lenient.website.startEnrolment(userId, confirmation), 201);
    const second = await enrolDevice(lenient.website, userId);
    for (const { identity } of [second, first])
      succeeded(await lenient.website.removeDevice(userId, identity.deviceId, nonce), 204);
    const event = await eventAbout(stack, lenient, first, 'UserDeviceDeregisteredEvent');
    expect(event.payload).not.toHaveProperty('authorizedBy');
  });
}
