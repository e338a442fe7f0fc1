import { beforeAll, expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { enrolDevice, newUser } from '../scenario.ts';
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
}
