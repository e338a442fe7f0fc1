import { expect } from '@jest/globals';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import { enrolDevice } from '../scenario.ts';
import { push, ReceivingTenant, type Signal } from '../signals/receiving-tenant.ts';
import type { KilledScene } from './scene.ts';

const count = 12;

/** A receiver hangs while the stack dies, with a verification and signals behind the first. */
export async function signals(): Promise<KilledScene> {
  const receiver = await Receiver.start(() => undefined);
  let tenant: ReceivingTenant;
  let userIds: string[] = [];
  const arrived = async (): Promise<Signal[]> => {
    const all = await Promise.all(receiver.calls.map(async ({ text }) => await tenant.verified(text)));
    return [...new Map(all.map((signal) => [signal.jti, signal])).values()];
  };
  return {
    begin: async (stack) => {
      tenant = await ReceivingTenant.open(stack);
      const delivery = { method: push, endpoint_url: receiver.url };
      const { stream_id: streamId } = await tenant.createStream({ delivery });
      const devices = await Promise.all(
        Array.from({ length: count }, async () => await enrolDevice(tenant.client)),
      );
      await tenant.requestVerification(streamId, 'across the death');
      userIds = devices.map(({ identity }) => identity.userId);
      await until(() => receiver.calls.length > 0);
    },
    whileDead: () => {
      receiver.behave = (response) => void response.writeHead(202).end();
    },
    check: async (stack) => {
      tenant.issuers.push(stack.file.baseUrl);
      await until(async () => (await arrived()).length > count);
      const subjects = (await arrived()).flatMap(({ sub_id: subject }) => subject.sub ?? []);
      expect(subjects.toSorted()).toEqual(userIds.toSorted());
    },
    close: async () => await receiver.close(),
  };
}
