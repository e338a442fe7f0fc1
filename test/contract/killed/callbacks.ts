import { expect } from '@jest/globals';
import { bodyOf } from '../../../client/http.ts';
import { accepting, Receiver, type ReceivedCall } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import { CallbackWebsite } from '../callbacks/website.ts';
import { enrolDevice, openChallenge, push } from '../scenario.ts';
import type { KilledScene } from './scene.ts';

export async function callbacks(): Promise<KilledScene> {
  const receiver = await Receiver.start();
  let challengeIds: string[] = [];
  let before = new Map<unknown, ReceivedCall['headers']>();
  return {
    begin: async (stack) => {
      const website = await CallbackWebsite.open(stack, receiver.url);
      const asked = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const device = await enrolDevice(website.client);
          return { device, sent: await push(website.client, device) };
        }),
      );
      // Whoever calls does not live to hear an answer.
      receiver.behave = () => undefined;
      challengeIds = await Promise.all(
        asked.map(async ({ device, sent }) => {
          bodyOf(await device.confirm(await openChallenge(device)));
          return sent.challengeId;
        }),
      );
      await until(() => receiver.calls.length > 0);
    },
    whileDead: () => {
      before = new Map(receiver.calls.map(({ body, headers }) => [body.data['challengeId'], headers]));
      receiver.calls.length = 0;
      receiver.behave = accepting;
    },
    check: async () => {
      for (const challengeId of challengeIds) {
        const [call] = await receiver.until(1, challengeId);
        const id = before.get(challengeId)?.['webhook-id'] ?? call?.headers['webhook-id'];
        expect(call?.headers['webhook-id']).toBe(id);
      }
      expect(before.size).toBeGreaterThan(0);
    },
    close: async () => await receiver.close(),
  };
}
