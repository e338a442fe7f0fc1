import { beforeAll, describe, expect, test } from '@jest/globals';
import { scan } from '#device';
import { postPreview } from '../../../client/device/device-api.ts';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { Answer } from '../../../client/http.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, newUser, startEnrolment } from '../scenario.ts';
import { confirmedOn, eventAbout, openBank, type Bank } from './bank.ts';

const refused = (answer: Answer<unknown>) => expectProblem(answer, 403, 'recovery-required');

/** A user who ever had a device is nobody new, whoever removed it. So no removal makes the next device a first one. */
export function waysAround(stack: TestStack): void {
  let bank: Bank;
  beforeAll(async () => {
    bank = await openBank(stack, 'confirm');
  });
  const json = jsonOn(stack);

  const removedBy: Record<string, (device: SimulatedDevice) => Promise<void>> = {
    'the device itself': async (device) => {
      succeeded(await device.remove(), 204);
    },
    'the website, with a confirmation': async (device) => {
      const nonce = await confirmedOn(bank, device, 'remove-device');
      const { userId, deviceId } = device.identity;
      succeeded(await bank.website.removeDevice(userId, deviceId, nonce), 204);
    },
    'the help desk': async ({ identity: { userId, deviceId } }) => {
      succeeded(await bank.helpDesk.removeDevice(userId, deviceId), 204);
    },
    'the operator': async ({ identity: { userId, deviceId } }) => {
      const of = ['--tenant', bank.tenantId, '--user', userId, '--device', deviceId];
      await json('device', 'remove', ...of, '--yes');
    },
  };

  describe.each(Object.entries(removedBy))('the rule after %s removed the only device', (_, remove) => {
    test('a code is rejected without the recovery scope, even with an earlier confirmation', async () => {
      const device = await enrolDevice(bank.website);
      const { userId } = device.identity;
      const nonce = await confirmedOn(bank, device, 'add-device');
      await remove(device);
      refused(await bank.website.startEnrolment(userId));
      refused(await bank.website.startEnrolment(userId, nonce));
      expect(succeeded(await bank.website.listDevices(userId), 200).devices).toEqual([]);
    });

    test('a code that the user confirmed earlier is rejected', async () => {
      const device = await enrolDevice(bank.website);
      const nonce = await confirmedOn(bank, device, 'add-device');
      const { qr } = succeeded(await bank.website.startEnrolment(device.identity.userId, nonce), 201);
      await remove(device);
      refused(await new SimulatedDevice().enrol(qr));
    });

    test('a code of the help desk enrols a device and its event says so', async () => {
      const device = await enrolDevice(bank.website);
      const { userId } = device.identity;
      await remove(device);
      const { qr } = succeeded(await bank.helpDesk.startEnrolment(userId), 201);
      const next = new SimulatedDevice();
      succeeded(await next.enrol(qr), 201);
      expect(await eventAbout(stack, bank, next, 'UserDeviceRegisteredEvent')).toMatchObject({
        version: '1.1',
        payload: { authorizedBy: 'recovery' },
      });
    });
  });

  test('is not opened by many devices in turn: the last removal is like the first', async () => {
    const first = await enrolDevice(bank.website);
    const { userId } = first.identity;
    const nonce = await confirmedOn(bank, first, 'add-device');
    const { qr } = succeeded(await bank.website.startEnrolment(userId, nonce), 201);
    const second = new SimulatedDevice();
    succeeded(await second.enrol(qr), 201);
    for (const device of [first, second]) succeeded(await device.remove(), 204);
    refused(await bank.website.startEnrolment(userId));
  });

  test('is not opened for a user whose device dates from another rule', async () => {
    const changing = await openBank(stack, 'free');
    const device = await enrolDevice(changing.website);
    const { userId } = device.identity;
    const { qr } = await startEnrolment(changing.website, userId);
    succeeded(await device.remove(), 204);
    await json('tenant', 'set', '--tenant', changing.tenantId, '--further-devices', 'confirm');
    refused(await new SimulatedDevice().enrol(qr));
    await json('tenant', 'set', '--tenant', changing.tenantId, '--further-devices', 'notify');
    succeeded(await new SimulatedDevice().enrol(qr), 201);
  });

  test('does not concern a user whom the operator erased, who is new', async () => {
    const device = await enrolDevice(bank.website);
    const { userId } = device.identity;
    succeeded(await device.remove(), 204);
    await json('user', 'erase', '--tenant', bank.tenantId, '--user', userId, '--yes');
    const next = await enrolDevice(bank.website, userId);
    const event = await eventAbout(stack, bank, next, 'UserDeviceRegisteredEvent');
    expect(event.payload).not.toHaveProperty('authorizedBy');
  });

  test('is not opened by a suspension, which makes no user new', async () => {
    const closed = await openBank(stack, 'confirm');
    const device = await enrolDevice(closed.website);
    const { userId } = device.identity;
    const { qr } = succeeded(await closed.helpDesk.startEnrolment(userId), 201);
    succeeded(await device.remove(), 204);
    await json('tenant', 'suspend', '--tenant', closed.tenantId);
    expectProblem(await new SimulatedDevice().enrol(qr), 404, 'enrolment-not-found');
    await json('tenant', 'resume', '--tenant', closed.tenantId);
    refused(await closed.website.startEnrolment(userId));
    succeeded(await new SimulatedDevice().enrol(qr), 201);
  });

  describe('a new code', () => {
    const expired = (answer: Answer<unknown>) => expectProblem(answer, 410, 'enrolment-code-expired');
    const statusOf = async ({ enrolmentId }: { enrolmentId: string }) =>
      succeeded(await bank.website.getEnrolment(enrolmentId), 200).status;

    test.each(['free', 'notify', 'confirm'] as const)(
      'expires the earlier codes with the rule %s',
      async (rule) => {
        const { website } = await openBank(stack, rule);
        const userId = newUser();
        const codes = [
          await startEnrolment(website, userId),
          await startEnrolment(website, userId),
          await startEnrolment(website, userId),
        ];
        const answers = [];
        for (const { qr } of codes) answers.push((await new SimulatedDevice().enrol(qr)).status);
        expect(answers).toEqual([410, 410, 201]);
      },
    );

    test('shows earlier codes as expired to the website and in the preview, permanently', async () => {
      const userId = newUser();
      const early = await startEnrolment(bank.website, userId);
      expect(await statusOf(early)).toBe('waiting');
      const late = await startEnrolment(bank.website, userId);
      expect(await Promise.all([early, late].map(statusOf))).toEqual(['expired', 'waiting']);
      const { baseUrl, code } = scan(early.qr);
      expired(await postPreview(baseUrl, { code }));
      const first = new SimulatedDevice();
      succeeded(await first.enrol(late.qr), 201);
      expect(await Promise.all([early, late].map(statusOf))).toEqual(['expired', 'completed']);
      expired(await new SimulatedDevice().enrol(early.qr));
      succeeded(await first.remove(), 204);
      expired(await new SimulatedDevice().enrol(early.qr));
    });

    test('is the only valid one of several that are made at once', async () => {
      const userId = newUser();
      const codes = await Promise.all(
        Array.from({ length: 5 }, async () => await startEnrolment(bank.website, userId)),
      );
      const answers = await Promise.all(codes.map(async ({ qr }) => await new SimulatedDevice().enrol(qr)));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      for (const answer of answers) if (!answer.ok) expired(answer);
      expect(succeeded(await bank.website.listDevices(userId), 200).devices).toHaveLength(1);
    });

    test('expires when the user is erased', async () => {
      const userId = newUser();
      const { qr } = await startEnrolment(bank.website, userId);
      await json('user', 'erase', '--tenant', bank.tenantId, '--user', userId, '--yes');
      expectProblem(await new SimulatedDevice().enrol(qr), 404, 'enrolment-not-found');
    });

    test('expires earlier codes even if DynamoDB writes only a part at first', async () => {
      const userId = newUser();
      const early = await startEnrolment(bank.website, userId);
      const late = await withFault(
        stack.file,
        { service: 'dynamodb', operation: 'BatchWriteItem', fault: 'partial', ratio: 0.5, times: 1 },
        async () => succeeded(await bank.helpDesk.startEnrolment(userId), 201),
      );
      expired(await new SimulatedDevice().enrol(early.qr));
      succeeded(await new SimulatedDevice().enrol(late.qr), 201);
    });
  });

  test("does not concern another tenant's user with the same id, who is new", async () => {
    const other = await openBank(stack, 'confirm');
    const device = await enrolDevice(bank.website);
    succeeded(await device.remove(), 204);
    await enrolDevice(other.website, device.identity.userId);
  });
}
