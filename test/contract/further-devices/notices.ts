import { beforeAll, expect, test } from '@jest/globals';
import { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { enrolDevice, newUser, pushAndConfirm, pushesTo, repeatedly, startEnrolment } from '../scenario.ts';
import { disableEndpoint } from '../permissions/operator.ts';
import { noticesTo, openBank, type Bank } from './bank.ts';

export function notices(stack: TestStack): void {
  let bank: Bank;
  beforeAll(async () => {
    bank = await openBank(stack, 'notify');
  });

  const two = async () => {
    const userId = newUser();
    const [first, second] = [
      await enrolDevice(bank.website, userId),
      await enrolDevice(bank.website, userId, { platform: 'apns' }),
    ];
    return { userId, first, second };
  };
  const told = async (device: SimulatedDevice) =>
    (await noticesTo(stack, device)).map(({ payload }) => payload);

  test('tell the other devices of a new one by a fixed text without a challenge', async () => {
    const { first, second, userId } = await two();
    const { deviceId } = second.identity;
    expect(await told(first)).toEqual([
      {
        message: expect.objectContaining({
          notification: { body: expect.stringContaining('A device was added') },
          data: { notice: 'device-added', deviceId },
        }),
      },
    ]);
    expect(await told(second)).toEqual([]);
    const third = await enrolDevice(bank.website, userId, { name: 'Call 0900 at once' });
    expect(await told(second)).toEqual([
      expect.objectContaining({ notice: 'device-added', deviceId: third.identity.deviceId }),
    ]);
    expect(JSON.stringify([...(await told(first)), ...(await told(second))])).not.toMatch(/challengeId|0900/);
  });

  test('are not repeated when a device enrols again with the same key and code', async () => {
    const userId = newUser();
    const first = await enrolDevice(bank.website, userId);
    const { qr } = await startEnrolment(bank.website, userId);
    const second = new SimulatedDevice();
    await repeatedly(2, async () => succeeded(await second.enrol(qr), 201));
    expect(await told(first)).toHaveLength(1);
  });

  test.each([
    [
      'the website',
      async ({ userId, deviceId }: SimulatedDevice['identity']) => {
        succeeded(await bank.website.removeDevice(userId, deviceId), 204);
      },
    ],
    [
      'the operator',
      async ({ userId, deviceId }: SimulatedDevice['identity']) => {
        const of = ['--tenant', bank.tenantId, '--user', userId, '--device', deviceId];
        await jsonOn(stack)('device', 'remove', ...of, '--yes');
      },
    ],
  ])('tell the other devices when %s removes one', async (_, remove) => {
    const { first, second } = await two();
    await remove(first.identity);
    const notice = { notice: 'device-removed', deviceId: first.identity.deviceId };
    expect(await told(second)).toEqual([expect.objectContaining(notice)]);
    expect(await told(first)).toHaveLength(1);
  });

  test('tell the other devices when one removes itself', async () => {
    const { first, second } = await two();
    succeeded(await second.remove(), 204);
    const notice = { data: { notice: 'device-removed', deviceId: second.identity.deviceId } };
    expect((await told(first)).at(-1)).toEqual({ message: expect.objectContaining(notice) });
    expect(await told(second)).toEqual([]);
  });

  test("are not sent to an unreachable device or another user's device", async () => {
    const { first, second, userId } = await two();
    const stranger = await enrolDevice(bank.website);
    await pushAndConfirm(bank.website, second);
    await disableEndpoint(stack, second);
    // The service learns it with the next push.
    succeeded(
      await bank.website.sendToDevice(userId, second.identity.deviceId, {
        message: 'Still there?',
        nonce: `still-there-${userId}`,
      }),
      202,
    );
    await enrolDevice(bank.website, userId);
    expect(await told(first)).toHaveLength(2);
    expect(await told(second)).toEqual([]);
    expect(await told(stranger)).toEqual([]);
  });

  test.each(['unavailable', 'access-denied', 'timeout-after'] as const)(
    'fail neither enrolment nor removal when SNS fails (%s)',
    async (fault) => {
      const userId = newUser();
      const first = await enrolDevice(bank.website, userId);
      await pushAndConfirm(bank.website, first);
      const resource = (await pushesTo(stack, first.description.pushToken))[0]?.endpointArn ?? '';
      await withFault(stack.file, { service: 'sns', operation: 'Publish', resource, fault }, async () => {
        const second = await enrolDevice(bank.website, userId);
        succeeded(await bank.website.removeDevice(userId, second.identity.deviceId), 204);
      });
      // Only the push was sent.
      expect(await pushesTo(stack, first.description.pushToken)).toHaveLength(
        fault === 'timeout-after' ? 3 : 1,
      );
      expect(succeeded(await bank.website.listDevices(userId), 200).devices).toHaveLength(1);
    },
  );
}
