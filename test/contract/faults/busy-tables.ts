import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { withFault, type Fault } from '../../../tools/local/client/local-stack.ts';
import { SimulatedDevice, newPushToken } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectGatewayAnswer, expectProblem, retryAfterOf, succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  newUser,
  notification,
  pushesTo,
  startEnrolment,
  tryPush,
} from '../scenario.ts';
import { websiteCalls } from '../website/calls.ts';
import { patiently } from './patience.ts';

const noWrites: Fault = { service: 'dynamodb', operation: 'TransactWriteItems', fault: 'throttle' };

export function busyTables(stack: TestStack): void {
  test.each(['throttle', 'unavailable'] as const)(
    '(%s) makes every endpoint answer 503 and say when to retry',
    async (fault) => {
      const senders = websiteCalls(stack.file.tenants[0].tenantId).map(
        (call) => async () => await stack.website.call(call, v.unknown()),
      );
      const expectAnswers = async () => {
        for (const { status } of await Promise.all(senders.map(patiently)))
          expect([200, 201, 202, 204, 404]).toContain(status);
      };
      // Once before, so that the authorizer's answer is known and the endpoint itself is met.
      await expectAnswers();
      const answers = await withFault(
        stack.file,
        { service: 'dynamodb', fault },
        async () => await Promise.all(senders.map(async (send) => await send())),
      );
      for (const answer of answers) {
        expectProblem(answer, 503, 'temporarily-unavailable');
        expect(retryAfterOf(answer)).toBeLessThanOrEqual(60);
      }
      await expectAnswers();
    },
  );

  test('makes every device call answer 503, change nothing and work when repeated', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const { qr } = await startEnrolment(stack.website, newUser());
    const newcomer = new SimulatedDevice();
    const answers = await withFault(stack.file, { service: 'dynamodb', fault: 'throttle' }, async () => {
      const token = newPushToken();
      return await Promise.all([
        newcomer.enrol(qr),
        device.challenges(),
        device.confirm(challenge),
        device.refreshPushToken(token),
        device.remove(),
      ]);
    });
    for (const answer of answers) {
      expectProblem(answer, 503, 'temporarily-unavailable');
      expect(retryAfterOf(answer)).toBeLessThanOrEqual(60);
    }
    await expectStatus(stack.website, sent.nonce, 'pending');
    succeeded(await newcomer.enrol(qr), 201);
    succeeded(await device.confirm(challenge), 200);
  });

  test('prevents a push that was not recorded, and its repetition is sent once', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification();
    const answer = await withFault(
      stack.file,
      noWrites,
      async () => await tryPush(stack.website, device, sent),
    );
    expectProblem(answer, 503, 'temporarily-unavailable');
    expect(await pushesTo(stack, device.description.pushToken)).toEqual([]);
    expect(succeeded(await tryPush(stack.website, device, sent), 202).delivery).toBe('sent');
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
  });

  test('keeps an unrecorded answer from deciding, and its repetition decides', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const answer = await withFault(stack.file, noWrites, async () => await device.confirm(challenge));
    expectProblem(answer, 503, 'temporarily-unavailable');
    await expectStatus(stack.website, sent.nonce, 'pending');
    succeeded(await device.confirm(challenge), 200);
  });

  test('makes the authorizer answer neither with a denial nor from its cache', async () => {
    const website = stack.websiteWith('credential:omi:devices:get');
    await website.accessToken();
    const userId = newUser();
    await withFault(stack.file, { service: 'dynamodb', fault: 'throttle' }, async () => {
      expectGatewayAnswer(await website.listDevices(userId), 500);
    });
    succeeded(await website.listDevices(userId), 200);
  });
}
