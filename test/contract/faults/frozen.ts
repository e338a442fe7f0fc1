import { expect, test } from '@jest/globals';
import { nothingSchema } from '../../../client/contract.ts';
import { bodyOf, exchange } from '../../../client/http.ts';
import type { TestStack } from '../../support/stack.ts';
import { createdEvent } from '../events/event.ts';
import { succeeded } from '../expectations.ts';
import { Receiver } from '../../support/receiver.ts';
import { CallbackWebsite } from '../callbacks/website.ts';
import { Arrivals } from '../export-faults/arrivals.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  newUser,
  notification,
  openChallenge,
  push,
  pushesTo,
  tryPush,
} from '../scenario.ts';

/** Lambda freezes an environment between two calls. Meanwhile AWS closes the connections that it had. */
export function frozen(stack: TestStack): void {
  const thaw = async (): Promise<void> => {
    const url = String(new URL('/connections', stack.file.faultsUrl));
    bodyOf(await exchange({ method: 'DELETE', url }, nothingSchema));
  };

  /** Once with warm connections, and then after a freeze: that call is answered as any other. */
  const twice = async (work: () => Promise<void>): Promise<void> => {
    await work();
    await thaw();
    await work();
  };

  test('enrols a device, and lists it', async () => {
    await twice(async () => {
      const userId = newUser();
      const { identity } = await enrolDevice(stack.website, userId);
      await thaw();
      const { devices } = succeeded(await stack.website.listDevices(userId), 200);
      expect(devices.map(({ deviceId }) => deviceId)).toEqual([identity.deviceId]);
    });
  });

  test('sends a push once, and takes its answer', async () => {
    await twice(async () => {
      const device = await enrolDevice(stack.website);
      await thaw();
      const sent = notification();
      const answer = await tryPush(stack.website, device, sent);
      expect(succeeded(answer, 202)).toMatchObject({ status: 'pending', delivery: 'sent' });
      expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
      await thaw();
      const { challenges } = succeeded(await device.challenges(), 200);
      expect(challenges).toHaveLength(1);
      for (const challenge of challenges) {
        await thaw();
        expect(succeeded(await device.confirm(challenge), 200)).toEqual({ status: 'confirmed' });
      }
      await thaw();
      await expectStatus(stack.website, sent.nonce, 'confirmed');
    });
  });

  test('withdraws a question', async () => {
    await twice(async () => {
      const { sent } = await challengedDevice(stack.website);
      await thaw();
      succeeded(await stack.website.withdraw(sent.nonce), 204);
    });
  });

  test('records an event, and exports it', async () => {
    const { tenantId } = stack.file.tenants[0];
    const own = (one: (typeof stack.file.exports)[number]): boolean =>
      one.tenantId === tenantId && one.category === 'public';
    const streamArn = `stream/${stack.file.exports.find(own)?.streamName}`;
    const arrivals = await Arrivals.ofStream(stack.file, { streamArn });
    await twice(async () => {
      const event = createdEvent(tenantId);
      succeeded(await stack.website.recordEvents([event]), 202);
      await thaw();
      const { eventId } = event.metadata;
      await arrivals.until('the event', () => arrivals.ids.includes(eventId));
    });
    arrivals.close();
  });

  test('calls a website back', async () => {
    const receiver = await Receiver.start();
    const { client } = await CallbackWebsite.open(stack, receiver.url);
    await twice(async () => {
      const device = await enrolDevice(client);
      const { challengeId } = await push(client, device);
      succeeded(await device.confirm(await openChallenge(device)), 200);
      await thaw();
      await receiver.until(1, challengeId);
    });
    await receiver.close();
  });
}
