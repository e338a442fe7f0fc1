import { expect, test } from '@jest/globals';
import { withFault, type Fault } from '../../../tools/local/client/local-stack.ts';
import { postAnswer } from '../../../client/device/device-api.ts';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  newUser,
  notification,
  openChallenge,
  push,
  pushesTo,
  startEnrolment,
  tryPush,
} from '../scenario.ts';
import { patiently } from './patience.ts';

const lost: Fault = {
  service: 'dynamodb',
  operation: 'TransactWriteItems',
  fault: 'timeout-after',
  times: 1,
};

export function lostAnswers(stack: TestStack): void {
  const whileLost = async <Result>(work: () => Promise<Result>) => await withFault(stack.file, lost, work);

  test('neither loses a push nor sends it twice', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification();
    const answer = await whileLost(
      async () => await patiently(async () => await tryPush(stack.website, device, sent)),
    );
    expect(succeeded(answer, 202)).toMatchObject({ status: 'pending', delivery: 'sent' });
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
    succeeded(await device.confirm(await openChallenge(device)), 200);
    await expectStatus(stack.website, sent.nonce, 'confirmed');
  });

  test('decides once, and the device learns the result', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, { decision: 'confirm' });
    const send = async () => await postAnswer(device.identity.baseUrl, challenge.challengeId, jws);
    const answer = await whileLost(async () => await patiently(send));
    expect(succeeded(answer, 200)).toEqual({ status: 'confirmed' });
    const decided = await expectStatus(stack.website, sent.nonce, 'confirmed');
    expect(decided.evidence).toBe(jws);
  });

  test('enrols one device', async () => {
    const { qr, enrolmentId } = await startEnrolment(stack.website, newUser());
    const device = new SimulatedDevice();
    await whileLost(async () => {
      succeeded(await patiently(async () => await device.enrol(qr)), 201);
    });
    const { devices } = succeeded(await stack.website.listDevices(device.identity.userId), 200);
    expect(devices.map(({ deviceId }) => deviceId)).toEqual([device.identity.deviceId]);
    expect(succeeded(await stack.website.getEnrolment(enrolmentId), 200).status).toBe('completed');
    expect((await push(stack.website, device)).delivery).toBe('sent');
  });

  test('removes the device', async () => {
    const { device, sent } = await challengedDevice(stack.website);
    const { userId, deviceId } = device.identity;
    await whileLost(async () => {
      const answer = await patiently(async () => await stack.website.removeDevice(userId, deviceId));
      // The repetition of a removal that happened finds nothing.
      expect([204, 404]).toContain(answer.status);
    });
    expect(succeeded(await stack.website.listDevices(userId), 200)).toEqual({ devices: [] });
    await expectStatus(stack.website, sent.nonce, 'cancelled', 'device_removed');
  });
}
